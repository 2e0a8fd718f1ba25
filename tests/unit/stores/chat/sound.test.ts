import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inOneTab, playTone } from '#lib/chat/sound.ts'
import { $isMuted, sound, toggleSound } from '#stores/chat/sound.ts'

vi.mock('#lib/chat/sound.ts', () => ({
  playTone: vi.fn<() => void>(),
  inOneTab: vi.fn<(work: () => void) => void>(work => work()),
}))

beforeEach(() => $isMuted.set(false))
afterEach(() => vi.clearAllMocks())

test('a sent message plays a tone in its own tab, a received one in only one of all tabs', () => {
  sound('sent')
  expect(inOneTab).not.toHaveBeenCalled()
  sound('received')

  expect(inOneTab).toHaveBeenCalledOnce()
  expect(vi.mocked(playTone).mock.calls).toEqual([['sent'], ['received']])
})

test('sounds are off in this browser until they are turned on again', () => {
  toggleSound()
  sound('sent')
  sound('received')
  expect(playTone).not.toHaveBeenCalled()
  expect($isMuted.get()).toBe(true)

  toggleSound()
  sound('sent')
  expect(playTone).toHaveBeenCalledOnce()
})
