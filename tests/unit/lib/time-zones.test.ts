import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deletionLetter } from '#server/mail/account-letters.ts'
import { arrivalDates as mailedDates } from '#server/mail/dates.ts'
import { by as mailedDeadline } from '#server/mail/return-text.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** 5:00 on 1 January 2026 in UTC, and an hour and a half later. */
const MOMENT = '2026-01-01T05:00:00.000Z'
const NOW = new Date('2026-01-01T06:30:00.000Z')
/** 21:30 in UTC the evening before. */
const EARLIER = '2025-12-31T21:30:00.000Z'

const APPROVED = {
  id: 'r1',
  sellerOrderId: 's1',
  shopName: 'Toy Town',
  kind: 'return' as const,
  status: 'approved' as const,
  reason: 'damaged' as const,
  words: '',
  answer: '',
  tracking: '',
  refundCents: 0,
  createdAt: EARLIER,
  pictures: [],
  lines: [{ name: 'Red kite', quantity: 1 }],
  isDecided: false,
  isSentBack: false,
  isPaidBack: false,
  hasNothingToSend: false,
}

/** The formatting functions as in a browser in `zone`: their formatters are created on import. */
async function formatsIn(zone: string) {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  const [chat, orders, reviews, arrival, returns] = await Promise.all([
    import('#lib/chat/chat.ts'),
    import('#lib/orders/orders.ts'),
    import('#lib/catalogue/reviews.ts'),
    import('#lib/orders/arrival.ts'),
    import('#lib/returns/returns.ts'),
  ])
  return { ...chat, ...orders, ...reviews, ...arrival, ...returns }
}

describe.each([
  ['America/Los_Angeles', { day: '31 December 2025', time: '9:00 PM', earlier: ['Today', '1:30 PM'] }],
  ['Africa/Nairobi', { day: '1 January 2026', time: '8:00 AM', earlier: ['Today', '12:30 AM'] }],
  ['Pacific/Kiritimati', { day: '1 January 2026', time: '7:00 PM', earlier: ['Today', '11:30 AM'] }],
])('in %s', (zone, { day, time, earlier }) => {
  test('orders and notifications show the customer’s local day and time', async () => {
    const { formatDay, formatMoment } = await formatsIn(zone)

    expect(formatDay(MOMENT)).toBe(day)
    expect(formatMoment(MOMENT).replaceAll('\u202F', ' ')).toBe(`${day} at ${time}`)
  })

  test('a conversation is divided at the customer’s local midnight', async () => {
    const { formatChatDay, formatLast, formatTime } = await formatsIn(zone)

    expect(formatTime(MOMENT).replaceAll('\u202F', ' ')).toBe(time)
    expect(formatChatDay(MOMENT, NOW)).toBe('Today')
    expect([formatChatDay(EARLIER, NOW), formatLast(EARLIER, NOW).replaceAll('\u202F', ' ')]).toEqual(earlier)
  })

  test('pages promise the same days of arrival as mails, which do not know the customer’s time zone', async () => {
    const { arrivalDates, arrivalText, formatPromisedDay } = await formatsIn(zone)
    const mailed = mailedDates(new Date(EARLIER), { handling: [1, 2], transit: [2, 4] })

    expect(mailed).toBe('3–6 January')
    expect(arrivalDates([3, 6], new Date(EARLIER))).toBe(mailed)
    const arrival = { from: '2026-01-03T21:30:00.000Z', until: '2026-01-06T21:30:00.000Z' }
    expect(arrivalText(arrival, NOW)).toBe(`Arrives ${mailed}`)
    expect(formatPromisedDay(arrival.until)).toBe('6 January 2026')
  })

  test('pages name the same last day of a return as mails', async () => {
    const { describeReturn } = await formatsIn(zone)

    for (const dueAt of [MOMENT, '2026-01-01T23:59:59.999Z']) {
      expect(describeReturn({ ...APPROVED, dueAt }).next).toContain('by 1 January 2026')
      expect(mailedDeadline({ ...APPROVED, dueAt })).toBe('by 1 January 2026')
    }
  })

  test('pages name the same day for the deletion of an account as the mail', async () => {
    await formatsIn(zone)
    const { DeletionNotice } = await import('#islands/accounts/DeletionNotice.tsx')
    const deletion = { at: '2026-01-01T23:59:59.999Z', waitsForOrders: false }

    expect(deletionLetter({ publicUrl: '', ...deletion }).text).toContain('on 1 January 2026')
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
    expect(renderToString(createElement(DeletionNotice, { deletion }))).toContain('deleted on 1 January 2026')
  })

  test('a review has the same day for everyone, since its page is cached', async () => {
    const { formatDate } = await formatsIn(zone)

    expect(formatDate(MOMENT)).toBe('Jan 1, 2026')
  })
})

test.each([
  ['America/Los_Angeles', '2026-01-01T07:59:59Z', '2026-01-01T08:00:00Z'],
  ['Africa/Nairobi', '2025-12-31T20:59:59Z', '2025-12-31T21:00:00Z'],
  ['Pacific/Kiritimati', '2025-12-31T09:59:59Z', '2025-12-31T10:00:00Z'],
])('in %s, the last second of a day is Yesterday one second later', async (zone, last, first) => {
  const { formatChatDay } = await formatsIn(zone)

  expect(formatChatDay(last, new Date(last))).toBe('Today')
  expect(formatChatDay(last, new Date(first))).toBe('Yesterday')
  expect(formatChatDay(last, new Date(Date.parse(first) + 2 * 24 * 3600_000))).toBe('Dec 31, 2025')
})

test('days with a clock change count as one day', async () => {
  const { formatChatDay } = await formatsIn('America/Los_Angeles')

  // There, 8 March 2026 has 23 hours and 1 November 25.
  expect(formatChatDay('2026-03-08T08:00:00Z', new Date('2026-03-09T07:30:00Z'))).toBe('Yesterday')
  expect(formatChatDay('2026-11-01T07:00:00Z', new Date('2026-11-02T08:30:00Z'))).toBe('Yesterday')
})
