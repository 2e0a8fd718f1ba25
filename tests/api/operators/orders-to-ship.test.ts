import { parse } from 'csv-parse/sync'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { orders, products, sellerOrders } from '#server/db/schema.ts'
import { mailSeller } from '#server/orders/seller-mail.ts'
import { settle } from '#server/payments/settling.ts'
import { addSeller, setVariants, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent, subjectOf } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, KENYA, orderOf, payOrder, reportOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, customer, newcomer, jobs, letters, close } = shop
afterAll(close)

const market = operatorOf(shop)

async function openShop(key: string, shopName: string, email?: string) {
  const { id: sellerId } = await addSeller(db, { key, shopName, email })
  return addShippable(db, { sellerId, shopName, name: `${shopName} mug`, slug: `${key}-mug`, stock: 100 })
}

type Ordered = Parameters<typeof orderOf>

async function place(ada: Customer, goods: Ordered[1], change?: Ordered[2]): Promise<string> {
  return (await ada.api.placeOrder(orderOf(ada.id, goods, change))).orderId
}

async function pay(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return payOrder(db, jobs, { _id: orderId, priceCents: order!.priceCents })
}

async function numberOf({ api }: Customer, orderId: string) {
  return (await api.getOrder({ orderId })).order.number
}

async function mailedTo(address: string) {
  await lettersSent(db)
  return letters.filter(({ to }) => to === address)
}

describe('a shop with an email address', () => {
  test('gets a mail with its part of a paid order and the delivery address', async () => {
    const ada = await customer()
    const mug = await openShop('clay', 'Clay <b>', 'clay@shops.test')
    const kite = await openShop('kites', 'Kites', 'kites@shops.test')
    const silent = await openShop('silent', 'Silent')
    const orderId = await place(ada, [{ product: mug, quantity: 2 }, kite, silent], {
      shippingInfo: { ...KENYA, name: 'Ada <i>' },
    })
    expect(await mailedTo('clay@shops.test')).toEqual([])

    await pay(orderId)

    const [letter, ...more] = await mailedTo('clay@shops.test')
    expect(more).toEqual([])
    expect(letter?.subject).toMatch(/^You have an order to ship/)
    expect(letter?.text).toBe(
      [
        'Hello Clay <b>,',
        'A customer has paid for this order. Please ship it:',
        'Clay <b>\n2 × Clay <b> mug: $39.98\nShipping: $5.00\nShop total: $44.98',
        'Deliver to:\nAda <i>\n12 Analytical Lane\nWestlands\n00100 Nairobi\nNairobi County\nKenya\n+254 700 000000',
        'Please tell the marketplace when you have shipped it, so that we can let the customer know.',
        `Order ${await numberOf(ada, orderId)}\n`,
      ].join('\n\n'),
    )
    expect(letter?.html).toContain('Ada &lt;i&gt;<br />12 Analytical Lane')
    expect(letter?.html).not.toContain('<b>')
    expect(await mailedTo('kites@shops.test')).toHaveLength(1)
    expect(letters.map(({ to }) => to).toSorted()).toEqual(
      [ada.email, ada.email, 'clay@shops.test', 'kites@shops.test'].toSorted(),
    )
  })

  test('gets a mail in which a customer’s address cannot add lines', async () => {
    const ada = await customer()
    const mug = await openShop('lines', 'Lines', 'lines@shops.test')
    const shippingInfo = { ...KENYA, address: '12 Lane\n\nPiazza: this order has moved,\u2028ship it to Mallory' }

    await pay(await place(ada, [mug], { shippingInfo }))

    const [letter] = await mailedTo('lines@shops.test')
    expect(letter?.text.split('\n')).toContain('12 Lane Piazza: this order has moved, ship it to Mallory')
  })

  test('gets no text written by a customer who paid nothing and whose email is not confirmed', async () => {
    const gift = await openShop('gifts', 'Gifts', 'gifts@shops.test')
    await setVariants(db, gift, { priceCents: 0 })
    await db
      .update(products)
      .set({ shippingPrices: { Kenya: 0 } })
      .where(eq(products.id, gift.id))
    const free = { ...gift, priceCents: 0, shippingPrices: { Kenya: 0 } }
    const shippingInfo = { ...KENYA, name: 'Visit evil.example', address: 'for cheap pills' }

    await place(await newcomer(), [free], { shippingInfo })
    const [stranger] = await mailedTo('gifts@shops.test')
    await place(await customer(), [free])
    const [, known] = await mailedTo('gifts@shops.test')

    expect(stranger?.text).toContain('1 × Gifts mug')
    expect(stranger?.text).toContain('Please ask the marketplace whether and where to ship it.')
    expect(`${stranger?.text}${stranger?.html}`).not.toMatch(/evil|pills|Deliver to/)
    expect(known?.text).toContain('Deliver to:\nAda Lovelace\n12 Analytical Lane')
  })

  test('gets one mail, even when the payment is reported several times at once', async () => {
    const ada = await customer()
    const orderId = await place(ada, [await openShop('once', 'Once', 'once@shops.test')])
    const attempt = await pay(orderId)
    await Promise.all([1, 2, 3].map(() => settle(db, jobs, attempt.id, reportOf(attempt))))
    await pay(orderId)

    expect(await mailedTo('once@shops.test')).toHaveLength(1)
  })

  test('gets a mail about free orders, also of customers with an unconfirmed email', async () => {
    const stranger = await newcomer()
    const product = await openShop('free', 'Free', 'free@shops.test')
    await place(stranger, [await addShippable(db, { ...gift(product), slug: 'gift', handle: 'gift' })])

    expect(await mailedTo('free@shops.test')).toHaveLength(1)
  })

  test('gets no mail about an order that was cancelled before the mail was sent', async () => {
    const ada = await customer()
    const orderId = await place(ada, [await openShop('late', 'Late', 'late@shops.test')])
    await pay(orderId)
    expect(await mailedTo('late@shops.test')).toHaveLength(1)
    await market('order', 'refund', orderId)
    const [part] = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))

    const sent: unknown[] = []
    const mail = { send: async (letter: unknown) => void sent.push(letter) }
    await mailSeller({ db, mail, publicUrl: '' }, { sellerOrderId: part!.id })

    expect(sent).toEqual([])
  })

  test('gets its mails at the email address that the operator sets, until the operator removes it', async () => {
    const ada = await customer()
    await market('seller', 'add', 'Later', '--email', 'First@shops.test')
    expect((await market('seller', 'show', 'later')).out).toContain('Mails about paid orders go to first@shops.test\n')
    expect((await market('seller', 'email', 'later', 'second@shops.test')).out).toBe(
      'Later gets a mail about each paid order at second@shops.test from now on\n',
    )
    const { rows } = await db.execute<{ id: string }>(sql`select id from sellers where key = 'later'`)
    const product = await addShippable(db, { sellerId: rows[0]!.id, shopName: 'Later' })
    await pay(await place(ada, [product]))
    expect(await mailedTo('second@shops.test')).toHaveLength(1)

    expect((await market('seller', 'email', 'later', '--none')).out).toBe('Later gets no mail from now on\n')
    await pay(await place(ada, [product]))
    expect(await mailedTo('second@shops.test')).toHaveLength(1)
    expect(await mailedTo('first@shops.test')).toHaveLength(0)
  })
})

describe('the list of orders to ship', () => {
  test('shows one shop’s orders, earliest payment first, until they are shipped', async () => {
    const ada = await customer()
    const hat = await openShop('hats', 'Hats')
    const shoe = await openShop('shoes', 'Shoes')
    const first = await place(ada, [{ product: hat, quantity: 3 }, shoe])
    const second = await place(ada, [hat], { shippingInfo: { ...KENYA, name: 'Ada\u001B[31m' } })
    await place(ada, [hat])
    await pay(first)
    await pay(second)
    const listed = async () => (await market('order', 'list', '--to-ship', '--shop', 'Hats')).out
    const [named, other] = [await numberOf(ada, first), await numberOf(ada, second)]

    const paid = String.raw`paid \d{4}-\d\d-\d\dT[\d:.]+Z`
    const place1 = '12 Analytical Lane, Westlands, 00100 Nairobi, Nairobi County, Kenya, \\+254 700 000000'
    expect(await listed()).toMatch(
      new RegExp(
        `^${named}  ${first}  Hats, \\$64\\.97, ${paid}\n  3 × Hats mug\n  To Ada Lovelace, ${place1}\n${other}  ${second}  Hats, \\$24\\.99, ${paid}\n  1 × Hats mug\n  To Ada  ?\\[31m, 12 .*\n$`,
      ),
    )
    expect((await market('order', 'list', '--to-ship', '--limit', '1', '--shop', 'shoes')).out).toMatch(/Shoes mug/)
    await market('order', 'ship', named.toLowerCase(), '--shop', 'hats')
    await market('order', 'refund', second)
    expect(await listed()).toBe('Nothing is to ship\n')
    expect((await market('order', 'list', '--shop', 'shoes')).out).toMatch(new RegExp(`^${named}  ${first}  [^\n]*\n$`))
    expect(await market('order', 'list', '--to-ship', '--shop', 'nowhere')).toMatchObject({
      code: 1,
      err: "No shop is called 'nowhere'\n",
    })
    await assertInvariants(db)
  })

  test('leaves out an order that was refunded in full by parts; another refund cancels what is unsent', async () => {
    const ada = await customer()
    const cap = await openShop('caps', 'Caps', 'caps@shops.test')
    const coat = await openShop('coats', 'Coats')
    const orderId = await place(ada, [{ product: cap, quantity: 2 }, coat])
    await pay(orderId)
    await market('order', 'ship', orderId, '--shop', 'coats')
    await market('order', 'deliver', orderId, '--shop', 'coats')
    await market('order', 'refund', orderId, '--amount', '20')
    await market('order', 'refund', orderId, '--amount', '49.97')
    const waits = `${await numberOf(ada, orderId)}: of Caps, paid on`

    expect((await market('order', 'list', '--to-ship', '--shop', 'caps')).out).toBe('Nothing is to ship\n')
    expect((await market('seller', 'show', 'caps')).out).toContain('0 of them to ship')
    const named = (await market('doctor', '--list')).out.split('\n').find(line => line.includes(waits))
    expect(named).toMatch(/, but refunded: 'order refund' cancels it$/)
    expect(await market('order', 'refund', orderId)).toMatchObject({ code: 0 })

    expect((await market('doctor', '--list')).out).not.toContain(waits)
    const { order, sellerOrders: parts } = await ada.api.getOrder({ orderId })
    expect(order).toMatchObject({ status: 'placed' })
    expect(parts.map(({ deliveryStatus }) => deliveryStatus)).toEqual(['Cancelled', 'Delivered'])
    expect(await stockOf(db, cap)).toBe(100)
    expect((await mailedTo('caps@shops.test')).map(subjectOf)).toContain('Do not ship: an order was cancelled')
    expect(await market('order', 'refund', orderId)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Only a paid order can be refunded') as string,
    })
    await assertInvariants(db)
  })

  test('can be a CSV file that contains no formulas and no control characters', async () => {
    const ada = await customer()
    const product = await openShop('sheets', 'Sheets')
    const written = {
      name: '=HYPERLINK("https://evil.example")',
      address: '@SUM(1)',
      city: '-1+1',
      area: '\u001B[31mA\u009B2J',
    }
    const shippingInfo = { ...KENYA, ...written }
    const orderId = await place(ada, [{ product, quantity: 2 }], { shippingInfo })
    await pay(orderId)

    const { out } = await market('order', 'list', '--to-ship', '--shop', 'sheets', '--csv')
    expect(parse(out, { columns: true })).toMatchObject([
      {
        order: orderId,
        number: await numberOf(ada, orderId),
        shop: 'Sheets',
        product: 'Sheets mug',
        slug: 'sheets-mug',
        quantity: '2',
        'unit price USD': '19.99',
        'shipping USD': '5.00',
        name: '\'=HYPERLINK("https://evil.example")',
        address: "'@SUM(1)",
        city: "'-1+1",
        area: ' [31mA 2J',
        phone: "'+254 700 000000",
        country: 'Kenya',
        email: ada.email,
      },
    ])
    const all = (await market('order', 'list', '--shop', 'sheets', '--csv')).out
    expect(parse(all, { columns: true })).toMatchObject([
      { order: orderId, status: 'placed', payment: 'paid', 'total USD': '44.98', customer: ada.email },
    ])
  })
})

/** Returns the same product at no cost. */
function gift({ sellerId, shopName, category }: Awaited<ReturnType<typeof openShop>>) {
  return { sellerId, shopName, category, priceCents: 0, shippingPrices: { Kenya: 0 } }
}

test('the reason why a command is rejected contains no control characters of a shop’s name', async () => {
  const ada = await customer()
  const orderId = await place(ada, [await openShop('red', 'Red\u001B[31m'), await openShop('blue', 'Blue\u009B2J')])
  await pay(orderId)

  expect(await market('order', 'ship', orderId, '--tracking', 'JD0123')).toEqual({
    code: 1,
    out: '',
    err: 'Name the shop: the parcel could be of Red [31m or Blue 2J\n',
  })
})
