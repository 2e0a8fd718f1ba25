import { afterAll, expect, test } from 'vitest'
import { MAX_WITHDRAWN_RETURNS } from '#contract/rules.ts'
import { openMugShops } from '#tests/support/provider/mug-shops.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
afterAll(shop.close)
const buyMugs = openMugShops(shop)

test('a customer who withdraws one request after the other does not fill the shop’s mailbox', async () => {
  const ada = await shop.customer()
  const { ask, deliver, toShop } = await buyMugs(ada)
  await deliver()
  for (let count = 0; count < MAX_WITHDRAWN_RETURNS; count += 1)
    await ada.api.withdrawReturn({ returnId: await ask('return') })
  const mailCount = (await toShop()).length

  await expect(ask('return')).rejects.toMatchObject({
    status: 422,
    message: 'You have withdrawn too many requests. Please write to the shop',
  })

  expect(await toShop()).toHaveLength(mailCount)
})

test('withdrawn requests of one order do not count for another one', async () => {
  const ada = await shop.customer()
  const [first, second] = [await buyMugs(ada), await buyMugs(ada)]
  await first.deliver()
  await second.deliver()
  for (let count = 0; count < MAX_WITHDRAWN_RETURNS - 1; count += 1)
    await ada.api.withdrawReturn({ returnId: await first.ask('return') })

  await expect(second.ask('return')).resolves.toBeTruthy()
  await expect(first.ask('return')).resolves.toBeTruthy()
})
