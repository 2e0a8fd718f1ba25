import { expect, test } from 'vitest'
import * as alertLetters from '#server/mail/alert-letter.ts'
import * as changeLetters from '#server/mail/account-letters.ts'
import * as accountLetters from '#server/mail/letters.ts'
import type { Letter } from '#server/mail/mailer.ts'
import * as orderLetters from '#server/mail/order-letters.ts'
import * as returnLetters from '#server/mail/return-letters.ts'
import * as reviewLetters from '#server/mail/review-letter.ts'
import * as sellerLetters from '#server/mail/seller-letter.ts'

type Parts = Parameters<typeof orderLetters.orderLetter>[0]['parts']
type Order = Parameters<typeof orderLetters.orderLetter>[0]['order']

const { orderLetter } = orderLetters
const { resetLetter, confirmationLetter } = accountLetters
const { accountNotice, deletionLetter, newAddressLetter } = changeLetters
const publicUrl = 'https://shop.example'
const currency = 'USD'
/** Customers and sellers choose names, so the HTML must escape them. */
const customerName = 'Ada & Co'

const line = (name: string, quantity: number, unitCents: number, shippingCents: number) =>
  ({ quantity, unitCents, shippingCents, snapshot: { name } }) as Parts[number]['lines'][number]
const toys: Parts[number] = {
  shopName: 'Toy <Town>',
  priceCents: 4650,
  lines: [line('Wooden train', 2, 1800, 500), line('Blue ball', 1, 550, 0)],
  deliveryDays: { handling: [1, 2], transit: [2, 4] },
}
const lights = {
  shopName: 'Bright Lights',
  priceCents: 5149,
  lines: [line('Desk lamp', 1, 4999, 150)],
  deliveryDays: null,
}
const parts: Parts = [toys, lights]
const destination = {
  name: customerName,
  address: '12 Analytical Lane',
  area: 'Westlands',
  post: '00100',
  city: 'Nairobi',
  province: 'Nairobi County',
  country: 'Kenya',
  phone: '+254 700 000000',
}
const order: Order = {
  id: '0198-order',
  number: 'PZ-4F7K2M',
  priceCents: 9799,
  shippingCents: 650,
  destination,
  cancelledBy: null,
  paymentStatus: 'unpaid',
  isRefunded: false,
  paidAt: new Date('2026-11-29T10:00:00Z'),
}
const expectedAt = new Date('2026-12-05T10:00:00Z')
const free = { ...order, priceCents: 0, shippingCents: 0 }
const freeParts: Parts = [
  { shopName: 'Toy Town', priceCents: 0, lines: [line('Sticker', 1, 0, 0)], deliveryDays: null },
]
const trackingPath = '/track-order?token=abc'
const about = {
  order,
  parts,
  hasOtherShops: true,
  isShopRemoved: false,
  amountCents: order.priceCents,
  isOtherPayment: false,
  currency,
  publicUrl,
  trackingPath,
  customerName,
}
const aboutFree = { ...about, order: free, parts: freeParts, amountCents: 0 }

const ending = { endLink: `${publicUrl}/end-alerts?token=abc`, unsubscribeUrl: `${publicUrl}/api/end-alerts?token=abc` }
const alert = {
  customerName,
  goods: 'Shoe & <lace> (Size 43)',
  shopName: toys.shopName,
  priceCents: 1999,
  link: `${publicUrl}/product/details/shoe`,
  ...ending,
}

const aboutSale = { shopName: toys.shopName, order, part: { ...toys, sellerId: 'toy-town' }, publicUrl }
const aboutReview = {
  customerName,
  shopName: toys.shopName,
  orderId: order.id,
  orderNumber: order.number,
  isArrivalAssumed: false,
  products: [
    { name: 'Wooden <train>', slug: 'wooden-train' },
    { name: 'Blue ball', slug: 'blue-ball' },
  ],
  publicUrl,
  ...ending,
}

const LETTERS: Record<string, Omit<Letter, 'to'>> = {
  'reset-password': resetLetter({ name: customerName, link: `${publicUrl}/resetpassword?token=abc`, minutes: 30 }),
  'reset-password-unconfirmed': resetLetter({ link: `${publicUrl}/resetpassword?token=abc`, minutes: 30 }),
  'confirm-address': confirmationLetter({ publicUrl, token: 'abc', days: 3 }),
  'new-address': newAddressLetter({ publicUrl, token: 'abc', days: 3 }),
  'email-change-requested': accountNotice({ kind: 'emailChangeRequested' }),
  'email-changed': accountNotice({ kind: 'emailChanged' }),
  'password-changed': accountNotice({ kind: 'passwordChanged' }),
  'account-deleted': accountNotice({ kind: 'erased' }),
  'account-deletion': deletionLetter({ publicUrl, at: '2026-12-08T10:00:00.000Z', waitsForOrders: false }),
  'account-deletion-after-orders': deletionLetter({ publicUrl, at: '2026-12-08T10:00:00.000Z', waitsForOrders: true }),
  'alert-back': alertLetters.alertLetter({ ...alert, belowCents: null }),
  'alert-price': alertLetters.alertLetter({ ...alert, belowCents: 2500 }),
  'order-received': orderLetter({ ...about, kind: 'received' }),
  'order-received-free': orderLetter({ ...aboutFree, kind: 'received' }),
  'order-paid': orderLetter({ ...about, kind: 'paid' }),
  'order-paid-free': orderLetter({ ...aboutFree, kind: 'paid' }),
  'order-paid-unconfirmed': orderLetter({
    ...about,
    kind: 'paid',
    customerName: undefined,
    order: { ...order, destination: null },
  }),
  'order-shipped': orderLetter({ ...about, kind: 'shipped', parts: [toys] }),
  'order-shipped-parcel': orderLetter({
    ...about,
    kind: 'shipped',
    parts: [
      {
        ...toys,
        lines: toys.lines.slice(0, 1),
        parcel: { carrier: 'DHL', trackingNumber: 'JD0123', expectedAt, isAll: false },
      },
    ],
  }),
  'order-late': orderLetter({
    ...about,
    kind: 'late',
    parts: [{ ...toys, parcel: { carrier: 'DHL', trackingNumber: 'JD0123', expectedAt, isAll: true } }],
  }),
  'order-cancelled-by-customer': cancelledBy('customer'),
  'order-cancelled-by-time': cancelledBy('time'),
  'order-cancelled-while-processing': cancelledBy('operator', { paymentStatus: 'processing' }),
  'order-cancelled-after-payment': cancelledBy('operator', { paymentStatus: 'refund_pending', isRefunded: true }),
  'order-cancelled-free': orderLetter({ ...aboutFree, kind: 'cancelled', order: { ...free, cancelledBy: 'customer' } }),
  'order-refunded': orderLetter({ ...about, kind: 'refunded' }),
  'order-refunded-stays-paid': orderLetter({ ...about, kind: 'refunded', isOtherPayment: true }),
  'order-refunded-in-part': orderLetter({
    ...about,
    kind: 'refunded',
    parts: [{ ...lights, shippingCents: 150 }],
    amountCents: lights.priceCents,
  }),
  'order-refunded-in-another-currency': orderLetter({
    ...about,
    kind: 'refunded',
    parts: [],
    amountCents: 1_250_000,
    currency: 'KES',
  }),
  'review-request': reviewLetters.reviewLetter(aboutReview),
  'review-request-after-assumed-arrival': reviewLetters.reviewLetter({ ...aboutReview, isArrivalAssumed: true }),
  'seller-to-ship': sellerLetters.sellerLetter(aboutSale),
  'seller-to-ask': sellerLetters.sellerLetter({ ...aboutSale, order: { ...free, destination: null } }),
  'seller-not-to-ship': sellerLetters.cancelledLetter({
    ...aboutSale,
    part: { ...aboutSale.part, lines: toys.lines.slice(0, 1) },
  }),
  'seller-cancellation-requested': toShop('cancellation', 'requested', { reason: 'mistake' }),
  'seller-cancelled': toShop('cancellation', 'received', { reason: 'mistake', words: '' }),
  'seller-cancelled-all': toShop('cancellation', 'received', { reason: 'mistake', words: '', hasNothingToSend: true }),
  'seller-return-requested': toShop('return', 'requested'),
  'seller-return-requested-unconfirmed': toShop('return', 'requested', { words: '' }),
  'seller-return-sent-back': toShop('return', 'sent_back', { tracking: 'JD0123' }),
  'seller-cancelled-free': toShop('cancellation', 'received', { isPaidBack: false }),
  'seller-cancellation-refunded-free': toShop('cancellation', 'refunded', { isPaidBack: false }),
  'seller-cancellation-unanswered': toShop('cancellation', 'unanswered'),
  'seller-cancellation-escalated': toShop('cancellation', 'escalated'),
  'seller-cancellation-refunded': toShop('cancellation', 'refunded'),
  'seller-cancellation-refused': toShop('cancellation', 'refused', { answer: 'It has left.' }),
  'seller-cancellation-withdrawn': toShop('cancellation', 'withdrawn'),
  'seller-cancellation-closed': toShop('cancellation', 'closed'),
  'seller-return-approved': toShop('return', 'approved'),
  'seller-return-unconfirmed': toShop('return', 'unconfirmed', { tracking: 'JD0123' }),
  'seller-return-received': toShop('return', 'received'),
  'seller-return-received-free': toShop('return', 'received', { isPaidBack: false }),
  'seller-return-refunded': toShop('return', 'refunded'),
  'seller-return-refunded-free': toShop('return', 'refunded', { isPaidBack: false }),
  'seller-return-refused-sent-back': toShop('return', 'refused', { answer: 'It is empty.', isSentBack: true }),
  'seller-return-refused': toShop('return', 'refused', { answer: 'It was used.' }),
  'seller-return-lapsed': toShop('return', 'lapsed'),
  'seller-return-withdrawn': toShop('return', 'withdrawn'),
  'seller-return-closed': toShop('return', 'closed'),
  'return-unanswered': toCustomer('return', 'unanswered'),
  'return-unconfirmed': toCustomer('return', 'unconfirmed'),
  'return-lapsed': toCustomer('return', 'lapsed'),
  'return-closed': toCustomer('return', 'closed'),
  'return-closed-sent-back': toCustomer('return', 'closed', { isSentBack: true }),
  'cancellation-unanswered': toCustomer('cancellation', 'unanswered'),
  'cancellation-lapsed': toCustomer('cancellation', 'lapsed'),
  'cancellation-closed': toCustomer('cancellation', 'closed'),
  'return-approved': toCustomer('return', 'approved'),
  'return-approved-address': toCustomer('return', 'approved', { sendTo: ['Mill & Lane 4', '10115 Berlin', 'Germany'] }),
  'return-declined': toCustomer('return', 'declined', { answer: 'It was used & washed.' }),
  'return-refused': toCustomer('return', 'refused', { answer: 'It was used.' }),
  'return-received-free': toCustomer('return', 'received', { isPaidBack: false }),
  'return-decided-free': toCustomer('return', 'received', { isDecided: true, isPaidBack: false }),
  'cancellation-declined': toCustomer('cancellation', 'declined', { answer: 'It left this morning.' }),
  'cancellation-refused': toCustomer('cancellation', 'refused', { answer: 'It has left.' }),
  'cancellation-done-free': toCustomer('cancellation', 'received', { isPaidBack: false }),
  'cancellation-decided-free': toCustomer('cancellation', 'received', { isDecided: true, isPaidBack: false }),
}

type ReturnDetails = Parameters<typeof returnLetters.returnShopLetter>[0]['details']

function returnAbout(kind: ReturnDetails['kind'], status: ReturnDetails['status'], more: Partial<ReturnDetails>) {
  const details: ReturnDetails = {
    id: '0198-return',
    shopName: toys.shopName,
    kind,
    status,
    reason: 'damaged',
    words: 'The <wheel> is\noff.',
    answer: '',
    tracking: '',
    dueAt: '2026-11-28T10:00:00.000Z',
    isDecided: false,
    isSentBack: false,
    isPaidBack: true,
    hasNothingToSend: false,
    lines: [
      { name: 'Wooden train', quantity: 2 },
      { name: 'Blue ball', quantity: 1 },
    ],
    ...more,
  }
  return { details, orderNumber: order.number, publicUrl }
}

function toShop(
  kind: ReturnDetails['kind'],
  status: ReturnDetails['status'],
  more: Partial<ReturnDetails> = {},
): Omit<Letter, 'to'> {
  return returnLetters.returnShopLetter({ ...returnAbout(kind, status, more), sellerId: 'toy-town' })!
}

function toCustomer(
  kind: ReturnDetails['kind'],
  status: ReturnDetails['status'],
  more: Partial<ReturnDetails> = {},
): Omit<Letter, 'to'> {
  return returnLetters.returnCustomerLetter({
    ...returnAbout(kind, status, more),
    orderId: order.id,
    trackingPath,
    customerName,
  })!
}

function cancelledBy(cancelledBy: Order['cancelledBy'], more: Partial<Order> = {}): Omit<Letter, 'to'> {
  return orderLetter({ ...about, kind: 'cancelled', order: { ...order, cancelledBy, ...more } })
}

/**
 * The approved emails are in `tests/fixtures/letters`. After an intended change, run this file with `-u` and review the
 * diff.
 */
test.each(Object.entries(LETTERS))('the email %s is the approved one', async (name, { subject, link, text, html }) => {
  const whole = `Subject: ${subject}\nLink: ${link}\n\n${text}\n${'-'.repeat(72)}\n${html}\n`
  await expect(whole).toMatchFileSnapshot(`../../../fixtures/letters/${name}.txt`)
})

test('every email function of the shop is covered', () => {
  const writers = Object.keys({
    ...accountLetters,
    ...alertLetters,
    ...changeLetters,
    ...orderLetters,
    ...returnLetters,
    ...reviewLetters,
    ...sellerLetters,
  })

  expect(writers.filter(name => name.endsWith('Letter')).toSorted()).toEqual([
    'alertLetter',
    'cancelledLetter',
    'confirmationLetter',
    'deletionLetter',
    'newAddressLetter',
    'orderLetter',
    'resetLetter',
    'returnCustomerLetter',
    'returnShopLetter',
    'reviewLetter',
    'sellerLetter',
  ])
})
