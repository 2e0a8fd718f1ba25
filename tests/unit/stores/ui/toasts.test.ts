import { beforeEach, expect, test, vi } from 'vitest'
import { MAX_TOASTS } from '#lib/constants.ts'
import { $toasts, takeToasts, toast, TOAST_WAITS } from '#stores/ui/toasts.ts'

const listener = vi.fn<() => void>()

beforeEach(() => {
  const target = new EventTarget()
  target.addEventListener(TOAST_WAITS, listener)
  vi.stubGlobal('dispatchEvent', target.dispatchEvent.bind(target))
  listener.mockClear()
  $toasts.set([])
})

test('a success toast is shown for two seconds, others for four', () => {
  toast('success', 'Subscribed!')
  toast('error', 'Out of stock')
  toast('blank', 'Copied to clipboard!')

  expect($toasts.get().map(({ durationMs }) => durationMs)).toEqual([2000, 4000, 4000])
  expect(listener).toHaveBeenCalledTimes(3)
})

test('takeToasts returns the toasts in order, once', () => {
  toast('error', 'first')
  toast('error', 'second')

  expect(takeToasts().map(({ text }) => text)).toEqual(['first', 'second'])
  expect(takeToasts()).toEqual([])
})

test('at most twenty toasts wait, the latest ones', () => {
  for (let at = 0; at < MAX_TOASTS + 5; at++) toast('error', String(at))

  expect($toasts.get()).toHaveLength(MAX_TOASTS)
  expect($toasts.get().at(-1)?.text).toBe(String(MAX_TOASTS + 4))
})
