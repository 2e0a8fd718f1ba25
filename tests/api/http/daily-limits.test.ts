import { afterAll, describe, expect, test } from 'vitest'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, apiFrom, customer, close } = await startProvider({
  limits: 'ordersPerDay=2/1d,ordersPerDayPerIp=3/1d,chatBytes=2000/1d,chatBytesPerIp=3000/1d',
})
afterAll(close)

const seller = await addSeller(db)
const toy = await addShippable(db, { sellerId: seller.id, stock: 100 })
const tooMany = { status: 429 }
const text = 'x'.repeat(500)

/** Places an order; `key` makes each a new one. */
const order = (address: string, by: Customer, key: string) =>
  apiFrom(address, by.token).placeOrder({ ...orderOf(by.id, [toy]), key })

const write = (address: string, by: Customer, clientId: string) =>
  apiFrom(address, by.token).sendMessage({ userId: by.id, sellerId: seller.id, text, clientId })

describe('within a day', () => {
  test('a customer can only place so many orders; a repeated request does not count', async () => {
    const ada = await customer()
    for (const key of ['first', 'first', 'first', 'second']) await order('6.0.0.1', ada, key)

    await expect(order('6.0.0.2', ada, 'third')).rejects.toMatchObject(tooMany)
    await expect(order('6.0.0.2', ada, 'second')).resolves.toMatchObject({ orderId: expect.any(String) })
  })

  test('an order that the shop rejects does not count', async () => {
    const ada = await customer()
    for (const key of ['first', 'second', 'third']) {
      const rejected = apiFrom('6.0.4.1', ada.token).placeOrder({
        ...orderOf(ada.id, [{ product: toy, quantity: 1000 }]),
        key,
      })
      await expect(rejected).rejects.toMatchObject({ status: 422 })
    }

    await expect(order('6.0.4.1', ada, 'fourth')).resolves.toBeDefined()
  })

  test('the customers behind one address can only place so many orders together', async () => {
    const [ada, grace] = [await customer(), await customer()]
    await order('6.0.1.1', ada, 'first')
    await order('6.0.1.1', ada, 'second')
    await order('6.0.1.1', grace, 'first')

    await expect(order('6.0.1.1', grace, 'second')).rejects.toMatchObject(tooMany)
    await expect(order('6.0.1.2', await customer(), 'first')).resolves.toBeDefined()
  })

  test('a customer can only write so many bytes of messages; a repeated message does not count', async () => {
    const ada = await customer()
    for (const clientId of ['1', '1', '1', '2']) await write('6.0.2.1', ada, clientId)

    await expect(write('6.0.2.2', ada, '3')).rejects.toMatchObject(tooMany)
    await expect(write('6.0.2.2', await customer(), '1')).resolves.toBeDefined()
  })

  test('the customers behind one address can only write so many bytes of messages together', async () => {
    const [ada, grace] = [await customer(), await customer()]
    for (const clientId of ['1', '2']) await write('6.0.3.1', ada, clientId)
    await write('6.0.3.1', grace, '1')

    await expect(write('6.0.3.1', grace, '2')).rejects.toMatchObject(tooMany)
    await expect(write('6.0.3.2', grace, '2')).resolves.toBeDefined()
  })
})
