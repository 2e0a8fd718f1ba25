import { afterAll, describe, expect, test } from 'vitest'
import { orderPath } from '#contract/page-urls.ts'
import { cancelByOperator, refundOrder } from '#server/orders/cancelling.ts'
import { packOrder, shipOrder } from '#server/orders/deliveries.ts'
import { mailReturn } from '#server/returns/mail.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { subjectOf } from '#tests/support/provider/letters.ts'
import { openMugShops } from '#tests/support/provider/mug-shops.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, customer, newcomer, letters, close } = shop
afterAll(close)
const market = operatorOf(shop)
const buyMugs = openMugShops(shop)

describe('a shop with an email address', () => {
  test('gets a mail not to pack units that the customer has cancelled', async () => {
    const { ask, toShop } = await buyMugs(await customer())
    await ask('cancellation')

    const [letter, ...others] = await toShop()
    expect(subjectOf(letter!)).toBe('Do not pack: products were cancelled')
    expect(letter!.text).toContain('2 × Mug (SKU MUG-7)')
    expect(letter!.text).toContain('Please send the rest of the order as usual.')
    expect(others.map(subjectOf)).toEqual(['A cancellation is complete'])
  })

  test('is not asked to send the rest when the customer has cancelled everything', async () => {
    const { ask, toShop } = await buyMugs(await customer())
    await ask('cancellation', 3)

    const [letter] = await toShop()
    expect(letter!.text).toContain('3 × Mug')
    expect(letter!.text).toContain('There is nothing left to send.')
    expect(letter!.text).not.toContain('the rest of the order')
  })

  test('gets a mail not to ship an order that the marketplace has cancelled', async () => {
    const { ask, orderId, toShop } = await buyMugs(await customer())
    await ask('cancellation', 1)
    const before = (await toShop()).length
    await cancelByOperator(db, shop.jobs, orderId)

    const letters = (await toShop()).slice(before)
    expect(letters.map(subjectOf)).toEqual(['Do not ship: an order was cancelled'])
    expect(letters[0]!.text).toContain('2 × Mug')
  })

  test('gets a mail not to ship the rest of an order that is refunded after one of its parcels was sent', async () => {
    const { orderId, toShop } = await buyMugs(await customer())
    await shipOrder(db, shop.jobs, orderId, { items: [{ name: '1', quantity: 1 }] })
    await refundOrder(db, shop.jobs, orderId)

    const [letter, ...others] = await toShop()
    expect(subjectOf(letter!)).toBe('Do not ship: an order was cancelled')
    expect(letter!.text).toContain('2 × Mug')
    expect(others).toEqual([])
  })

  test('gets no mail about the refund of an order that it has shipped', async () => {
    const { deliver, orderId, toShop } = await buyMugs(await customer())
    await deliver()
    await refundOrder(db, shop.jobs, orderId)

    expect(await toShop()).toEqual([])
  })

  test('is asked to cancel units that it has packed, with the customer’s reason and text, and told how to reply', async () => {
    const { ask, orderId, toShop } = await buyMugs(await customer())
    await packOrder(db, orderId)
    const id = await ask('cancellation')

    const [letter] = await toShop()
    expect(subjectOf(letter!)).toBe('A customer asked to cancel')
    for (const told of ['I changed my mind', '“Too <red>”', `return approve ${id}`, 'Please reply by'])
      expect(letter!.text).toContain(told)
    expect(letter!.html).toContain('Too &lt;red&gt;')
  })

  test('gets no text written by a customer with an unconfirmed email address', async () => {
    const stranger = await newcomer()
    const { ask, deliver, toShop } = await buyMugs(stranger)
    await deliver()
    await ask('return')

    const [letter] = await toShop()
    expect(subjectOf(letter!)).toBe('A customer requested a return')
    expect(letter!.text).toContain('I changed my mind')
    expect(letter!.text).not.toContain('red')
  })

  test('gets a mail that a returned parcel is on its way', async () => {
    const ada = await customer()
    const { ask, deliver, toShop } = await buyMugs(ada)
    await deliver()
    const returnId = await ask('return')
    await market('return', 'approve', returnId)
    await ada.api.sendReturnBack({ returnId, tracking: 'JD0123' })

    const letter = (await toShop()).find(({ subject }) => subject.startsWith('A return is coming back to you'))
    expect(letter?.text).toContain('Tracking number: JD0123')
  })

  test('gets no mail about a request that the customer withdrew before the mail was sent', async () => {
    const ada = await customer()
    const { ask, deliver } = await buyMugs(ada, { email: null })
    await deliver()
    const returnId = await ask('return')
    await ada.api.withdrawReturn({ returnId })

    const sent: unknown[] = []
    const mail = { send: async (letter: unknown) => void sent.push(letter) }
    const trackingLinks = { pathTo: () => Promise.resolve('/track-order') }
    const options = { db, mail, publicUrl: '', trackingLinks, limits: shop.limits }
    await mailReturn(options, { to: 'shop', returnId, status: 'requested' })
    await mailReturn(options, { to: 'customer', returnId, status: 'approved' })

    expect(sent).toEqual([])
  })
})

describe('a customer', () => {
  test('gets a mail that a return is approved, and only one about its refund', async () => {
    const ada = await customer('Ada Lovelace')
    const { ask, deliver, orderId, toCustomer } = await buyMugs(ada)
    await deliver()
    const returnId = await ask('return')
    await market('return', 'approve', returnId)
    const [approved] = await toCustomer()
    expect(subjectOf(approved!)).toBe('Your return is approved')
    expect(approved!.text).toContain('Hello Ada Lovelace,')
    expect(approved!.text).toContain('2 × Mug\n')
    expect(new URL(approved!.link).pathname).toBe(orderPath(orderId))
    const trackingLink = /Track your order: (\S+)/.exec(approved!.text)?.[1] ?? ''
    const token = new URL(trackingLink).searchParams.get('token') ?? ''
    const [part] = (await shop.api.trackOrder({ token })).parts
    expect(part?.returns.map(({ text }) => text)).toEqual(['You asked Clay for a return', 'Return to Clay approved'])

    await ada.api.sendReturnBack({ returnId, tracking: '' })
    await market('return', 'received', returnId)

    expect((await toCustomer()).map(subjectOf)).toEqual(['Your return is approved'])
    expect(letters.filter(({ to, subject }) => to === ada.email && subject.includes('refunded'))).toHaveLength(1)
  })

  test('reads in the mail and on the order where to send an approved return, if the shop has a postal address', async () => {
    const ada = await customer()
    const { ask, deliver, orderId, toCustomer } = await buyMugs(ada)
    await deliver()
    const [group] = (await ada.api.getOrder({ orderId })).order.groups
    await market('seller', 'address', group!.sellerId, 'Kiln <Lane> 4', '10115 Berlin')
    const returnId = await ask('return', 1)
    const placeOf = async () => (await ada.api.getReturns({ orderId })).returns[0]!.sendTo
    expect(await placeOf()).toBeUndefined()
    await market('return', 'approve', returnId)

    expect(await placeOf()).toEqual(['Kiln <Lane> 4', '10115 Berlin'])
    const [letter] = await toCustomer()
    expect(letter!.text).toMatch(/Please send it by .*:\nClay\nKiln <Lane> 4\n10115 Berlin\n\n/)
    expect(letter!.html).toContain('Kiln &lt;Lane&gt; 4')
    expect(letter!.text).not.toContain('ask the shop')
    await ada.api.sendReturnBack({ returnId, tracking: '' })
    expect(await placeOf()).toBeUndefined()

    await market('seller', 'address', group!.sellerId, '--none')
    await market('return', 'approve', await ask('return', 2))
    expect(await placeOf()).toBeUndefined()
    expect((await toCustomer()).at(-1)!.text).toContain('if you do not know where to send it, ask the shop in the chat')
  })

  test('gets a mail with the reason why a return is declined, and that the marketplace can decide', async () => {
    const { ask, deliver, toCustomer } = await buyMugs(await customer(), { email: null })
    await deliver()
    await market('return', 'decline', await ask('return'), '--because', 'It was used.')

    const [letter] = await toCustomer()
    expect(subjectOf(letter!)).toBe('Clay declined your return')
    expect(letter!.text).toContain('“It was used.”')
    expect(letter!.text).toContain('choose “Ask us to decide”')
  })

  test('gets a mail that a free order is cancelled, for which there is no mail about a refund', async () => {
    const { ask, toCustomer } = await buyMugs(await customer(), { priceCents: 0 })
    await ask('cancellation')

    expect((await toCustomer()).map(subjectOf)).toEqual(['Your cancellation is complete'])
  })

  test('with an unconfirmed address gets mails without their name, and none about free orders', async () => {
    const stranger = await newcomer('Cheap Pills')
    const { ask, deliver, toCustomer } = await buyMugs(stranger)
    await deliver()
    await market('return', 'approve', await ask('return'))
    const [letter] = await toCustomer()
    expect(letter!.text).not.toContain('Cheap Pills')

    const free = await buyMugs(await newcomer(), { priceCents: 0 })
    await free.ask('cancellation')
    expect(await free.toCustomer()).toEqual([])
  })
})

describe('a return that the marketplace decides', () => {
  test('of a free product that nobody sent back says nothing of money or of goods that came back', async () => {
    const ada = await customer()
    const { ask, deliver, toCustomer, toShop } = await buyMugs(ada, { priceCents: 0 })
    await deliver()
    const returnId = await ask('return')
    await market('return', 'decline', returnId, '--because', 'It was used.')
    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'refund')

    const letter = (await toCustomer()).at(-1)!
    expect(subjectOf(letter)).toBe('We have decided on your return')
    expect(letter.text).toContain('There is nothing left to refund for it.')
    expect(letter.text).not.toContain('sent back')
    const { notifications } = await ada.api.getNotifications({})
    expect(notifications[0]).toMatchObject({
      title: 'We have decided on your return',
      message:
        'We have decided in your favour, and you do not need to do anything else. There is nothing left to refund for it.',
    })
    const decided = (await toShop()).find(({ subject }) => subject.startsWith('The marketplace decided on a return'))
    expect(decided?.text).toContain('there is nothing left to refund')
  })

  test('can be refunded after it came back and the customer asked for a decision again', async () => {
    const ada = await customer()
    const { ask, deliver, orderId } = await buyMugs(ada, { email: null })
    await deliver()
    const returnId = await ask('return')
    await market('return', 'decline', returnId, '--because', 'It was used.')
    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'allow')
    await ada.api.sendReturnBack({ returnId, tracking: '' })
    await moveReturn(db, shop.jobs, returnId, { event: 'expire' })
    await ada.api.escalateReturn({ returnId })

    const allowed = await market('return', 'decide', returnId, 'allow')
    expect(allowed).toMatchObject({ code: 1, err: expect.stringContaining('has sent it back already') as string })
    await market('return', 'decide', returnId, 'refund')

    const texts = (await ada.api.getOrder({ orderId })).order.timeline.map(({ text }) => text)
    expect(texts.filter(text => text === 'You asked us to decide about the return')).toHaveLength(2)
    expect(texts).toContain('We decided in your favour')
    expect(texts).not.toContain('Return received by Clay')
  })

  test('and that was sent back does not leave it with the customer when it is declined', async () => {
    const ada = await customer()
    const { ask, deliver, toShop } = await buyMugs(ada)
    await deliver()
    const returnId = await ask('return')
    await market('return', 'approve', returnId)
    await ada.api.sendReturnBack({ returnId, tracking: '' })
    await moveReturn(db, shop.jobs, returnId, { event: 'expire' })
    await ada.api.escalateReturn({ returnId })
    await market('return', 'decide', returnId, 'refuse', '--because', 'The parcel was empty.')

    const letter = (await toShop()).find(({ subject }) => subject.startsWith('The marketplace declined a return'))
    expect(letter?.text).toContain('the customer gets no refund for this')
    expect(letter?.text).not.toContain('keeps this')
  })
})

test('a free order that is cancelled at once promises no money', async () => {
  const ada = await customer()
  const { orderId } = await buyMugs(ada, { priceCents: 0 })
  const [part] = (await ada.api.getReturns({ orderId })).available
  const lines = part!.lines.map(({ lineId, quantity }) => ({ lineId, quantity }))

  const { message } = await ada.api.requestReturn({
    orderId,
    sellerOrderId: part!.sellerOrderId,
    kind: 'cancellation',
    reason: 'mistake',
    words: '',
    lines,
  })

  expect(message).toBe('It is cancelled')
  const { notifications } = await ada.api.getNotifications({})
  expect(notifications.map(({ message: text }) => text).join()).not.toContain('refunding')
})
