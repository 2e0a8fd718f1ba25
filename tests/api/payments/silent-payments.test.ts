import { expect, test } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { rounds } from '#tests/support/rounds.ts'

test('a silent payment provider delays nothing else, and confirming waits at most six seconds', async () => {
  const shop = await startPayingShop(startFlutterwave)
  const waiting = await Promise.all(Array.from({ length: 5 }, () => shop.waiting()))
  const attempts = await Promise.all(waiting.map(({ start }) => start()))
  for (const attempt of attempts) {
    shop.fake.pay(attempt)
    shop.fake.misbehave(attempt, 'silence')
  }

  const startedAt = Date.now()
  let isConfirmed = false
  const confirming = Promise.all(waiting.map(each => each.confirm())).finally(() => (isConfirmed = true))
  const times: number[] = []
  const browse = () => addTime(times, async () => (await shop.request(`/api${getCategories.path}`)).status)
  let besideCount = 0
  for (let at = 0; at < rounds(20, 100); at += 1) {
    expect(await browse()).toBe(200)
    if (!isConfirmed) besideCount += 1
  }
  // A busy machine may not get through all of them meanwhile.
  expect(besideCount).toBeGreaterThan(0)

  const message = 'The payment provider cannot be reached right now. We will keep trying'
  expect(await confirming).toEqual(waiting.map(() => ({ message, paymentStatus: 'unpaid' })))
  const waitedMs = Date.now() - startedAt
  printFigure('confirming at a silent provider', `${waitedMs} ms`, 'at most 6 s')
  printFigure('browsing meanwhile', spreadOf(times, 95), 'under 300 ms')
  // An unknown status is not a failure: the result page asks again.
  const [{ ada }, { clientSecret }] = [waiting[0]!, attempts[0]!]
  await expect(ada.api.getPayment({ clientSecret })).rejects.toMatchObject({ status: 503, message })
  await shop.close()
})
