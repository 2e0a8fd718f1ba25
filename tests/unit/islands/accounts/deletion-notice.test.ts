import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeletionNotice } from '#islands/accounts/DeletionNotice.tsx'

const LAST_MOMENT = '2026-01-01T23:59:59.999Z'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

function shownAt(now: string, waitsForOrders: boolean): string {
  vi.setSystemTime(now)
  return renderToString(createElement(DeletionNotice, { deletion: { at: LAST_MOMENT, waitsForOrders } }))
}

test('the notice names the day of the deletion until it has passed', () => {
  for (const waitsForOrders of [true, false])
    expect(shownAt(LAST_MOMENT, waitsForOrders)).toContain('Your account will be deleted on 1 January 2026')
})

test('an account that waits for orders after its day names no day that has passed', () => {
  const notice = shownAt('2026-01-02T00:00:00.000Z', true)

  expect(notice).toContain('Your account will be deleted once your orders have arrived and your returns are complete')
  expect(notice).toContain('You can still change your mind.')
  expect(notice).not.toContain('January')
})
