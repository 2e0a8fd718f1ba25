import { describe, expect, test } from 'vitest'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { returnCustomerLetter, returnShopLetter } from '#server/mail/return-letters.ts'
import { timelineOf } from '#server/orders/view.ts'
import { factsOf } from '#server/returns/facts.ts'
import { returnNotification } from '#server/returns/notifying.ts'
import { ACTORS, type ReturnEvent, REFUNDED, TRANSITIONS } from '#server/returns/transitions.ts'

/** What happened to a request, in sequence. */
interface Walk {
  events: ReturnEvent[]
  statuses: ReturnStatus[]
}

/** Every way through the table. The marketplace cannot allow a parcel to be sent back twice. */
function walksFrom(kind: ReturnKind, walk: Walk): Walk[] {
  const from = walk.statuses.at(-1)!
  const next = Object.entries(TRANSITIONS[kind]).flatMap(([event, moves]): Walk[] => {
    const to = moves[from]
    if (!to || (event === 'allow' && walk.events.includes('sendBack'))) return []
    return [{ events: [...walk.events, event as ReturnEvent], statuses: [...walk.statuses, to] }]
  })
  return next.flatMap(each => [each, ...walksFrom(kind, each)])
}

const isPaidOnes = [true, false]
const WALKS = (['cancellation', 'return'] as const).flatMap(kind =>
  isPaidOnes.flatMap(isPaid =>
    [
      ...walksFrom(kind, { events: [], statuses: ['requested'] }),
      // What the shop has not packed is cancelled at once.
      ...(kind === 'cancellation' ? walksFrom(kind, { events: [], statuses: ['received'] }) : []),
    ].map(walk => ({ kind, isPaid, ...walk })),
  ),
)

/** What the customer and the shop read about the last step of a walk. */
function textsOf({ kind, isPaid, statuses }: (typeof WALKS)[number]) {
  const status = statuses.at(-1)!
  const details = {
    id: 'r',
    shopName: 'Clay',
    kind,
    status,
    reason: 'other' as const,
    words: '',
    answer: 'No.',
    tracking: '',
    hasNothingToSend: false,
    lines: [{ name: 'Mug', quantity: 1 }],
    ...factsOf(statuses),
    isPaidBack: isPaid && REFUNDED.includes(status),
  }
  const about = { details, orderNumber: 'PZ-1', publicUrl: '' }
  const notification = returnNotification(details)
  const isRefundMailed = status === 'received' && isPaid
  const mail = isRefundMailed ? null : returnCustomerLetter({ ...about, orderId: 'o', trackingPath: '/track-order' })
  const shopMail = returnShopLetter({ ...about, sellerId: 's' })
  const steps = statuses.map(each => ({ kind, status: each, returnId: 'r', sellerOrderId: 'part' }))
  const rows = steps.map((step, id) => ({ id, orderId: 'o', sellerOrderId: 'part', step, at: new Date(0) }))
  const part = { id: 'part', shopName: 'Clay', parcels: [] } as unknown as Parameters<typeof timelineOf>[1][number]
  return {
    toCustomer: [
      ...(notification ? [`${notification.title}. ${notification.message}`] : []),
      ...(mail ? [`${mail.subject}. ${mail.text}`] : []),
      timelineOf(rows, [part]).at(-1)?.text ?? '',
    ],
    toShop: shopMail ? [`${shopMail.subject}. ${shopMail.text}`] : [],
  }
}

type Reader = 'customer' | 'shop'
/** What a text claims, and of which walks it is true. */
const CLAIMS: [reader: Reader, claim: RegExp, isTrue: (walk: (typeof WALKS)[number]) => boolean][] = [
  ['customer', /what you sent back|return has arrived\.|received by/i, ({ events }) => events.includes('receive')],
  ['customer', /sent back to/i, ({ events }) => events.includes('sendBack')],
  ['customer', /(did not|has not) (say|tell|replied|confirmed)/, ({ events }) => events.at(-1) === 'expire'],
  ['customer', /do not need to send/, ({ events }) => !events.includes('sendBack')],
  ['customer', /are refunding you/, ({ isPaid, statuses }) => isPaid && statuses.at(-1) === 'received'],
  ['customer', /nothing left to refund/i, ({ isPaid }) => !isPaid],
  ['customer', /whole order (is|has been) refunded/, ({ events }) => events.at(-1) === 'close'],
  ['customer', /we (have )?decided/i, ({ events }) => ['refund', 'allow'].includes(events.at(-1) ?? '')],
  ['customer', /we (have )?declined/i, ({ events }) => events.at(-1) === 'refuse'],
  [
    'customer',
    /will not send what you cancelled/,
    ({ kind, statuses }) => kind === 'cancellation' && statuses.includes('received'),
  ],
  [
    'shop',
    /customer (is|has been) refunded|to refund the customer/,
    ({ isPaid, statuses }) => isPaid && statuses.some(each => REFUNDED.includes(each)),
  ],
  ['shop', /nothing left to refund/i, ({ isPaid }) => !isPaid],
  ['shop', /customer keeps|and keeps it/, ({ events }) => !events.includes('sendBack')],
  ['shop', /has sent this back/, ({ events }) => events.includes('sendBack')],
  [
    'shop',
    /^The marketplace (decided|approved|declined)/,
    ({ events }) => events.length > 0 && ACTORS[events.at(-1)!] === 'operator',
  ],
  ['shop', /whole order has been refunded/, ({ events }) => events.at(-1) === 'close'],
]

/** The shop gets no mail about what it has done itself. */
function textsFor(reader: Reader, walk: (typeof WALKS)[number]): string[] {
  const { toCustomer, toShop } = textsOf(walk)
  if (reader === 'customer') return toCustomer
  return ACTORS[walk.events.at(-1)!] === 'shop' ? [] : toShop
}

describe('on every way through the table of cancellations and returns', () => {
  test.each(CLAIMS)('the %s reads %s only when it is true', (reader, claim, isTrue) => {
    const claimed = WALKS.flatMap(walk =>
      textsFor(reader, walk).flatMap(text => (claim.test(text) ? [{ walk, text }] : [])),
    )
    expect(claimed).not.toEqual([])
    expect(claimed.filter(({ walk }) => !isTrue(walk))).toEqual([])
  })

  test('each step has a line in the timeline', () => {
    expect(WALKS.filter(walk => textsOf(walk).toCustomer.at(-1) === '')).toEqual([])
  })

  test('the notification says that the customer is refunded once the refund is requested', () => {
    const requested = WALKS.filter(({ statuses, isPaid }) => isPaid && statuses.at(-1) === 'received')
    expect(requested).not.toEqual([])
    for (const walk of requested) expect(textsOf(walk).toCustomer[0]).toContain('We are refunding you.')
  })
})

test('the shop’s reason for declining is quoted in the notification', () => {
  const facts = { isDecided: false, isSentBack: false, isPaidBack: false }
  const about = { kind: 'return', status: 'declined', shopName: 'Clay', answer: 'It was used', ...facts } as const

  expect(returnNotification(about)?.message).toBe('“It was used” If you disagree, you can ask us to decide.')
})
