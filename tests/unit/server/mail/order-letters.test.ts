import { describe, expect, test } from 'vitest'
import { orderLetter, type OrderMailKind } from '#server/mail/order-letters.ts'

function letter(
  kind: OrderMailKind,
  priceCents: number,
  isRefunded = false,
  paymentStatus: 'unpaid' | 'processing' = 'unpaid',
) {
  const order = {
    id: 'o1',
    number: 'PZ-4F7K2M',
    priceCents,
    shippingCents: 0,
    destination: null,
    cancelledBy: 'operator' as const,
    isRefunded,
    paymentStatus,
    paidAt: null,
  }
  const about = {
    customerName: 'Ada',
    parts: [],
    hasOtherShops: false,
    isShopRemoved: false,
    amountCents: priceCents,
    isOtherPayment: false,
    currency: 'USD',
    publicUrl: 'http://shop',
    trackingPath: '/track-order?token=abc',
  }
  return orderLetter({ kind, order, ...about })
}

describe('an order email', () => {
  test('links to its next step, with the matching text', () => {
    expect(letter('received', 1550)).toMatchObject({
      link: 'http://shop/payment?order=o1',
      text: expect.stringContaining(
        'The total is $15.50 including shipping. We will hold it for you for 30 minutes.',
      ) as string,
    })
    expect(letter('paid', 1550).text).toContain('We have received your payment of $15.50.')
    expect(letter('cancelled', 1550, true).text).toContain('We are refunding your payment')
    // The payment provider may know of a payment that the shop has not seen yet.
    expect(letter('cancelled', 1550).text).toContain(
      'Your order was not paid. If a payment still arrives, we will refund it.',
    )
    const { text } = letter('cancelled', 1550, false, 'processing')
    expect(text).toContain('If your payment still arrives, we will refund it.')
  })

  test('does not mention a payment when the order is free', () => {
    for (const kind of ['received', 'paid'] as const) {
      const { text, html, link } = letter(kind, 0)
      expect(link).toBe('http://shop/track-order?token=abc')
      for (const told of [text, html]) {
        expect(told).toContain('There is nothing to pay.')
        expect(told).not.toMatch(/pay now|payment/i)
      }
    }
    // A free order counts as refunded at once.
    expect(letter('cancelled', 0, true).text).toContain('Nothing was charged.')
    expect(letter('cancelled', 0, true).text).not.toContain('payment')
  })
})
