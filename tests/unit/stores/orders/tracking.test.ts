import { cleanStores, keepMount } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $tracking, trackOrder } from '#stores/orders/tracking.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'

const orderNamed = (number: string) => ({ orderId: 'o1', number, parts: [], until: '2027-02-26T10:00:00.000Z' })

let page: ReturnType<typeof stubPage>
const call = vi.fn<Api['trackOrder']>()

beforeEach(async () => {
  page = stubPage()
  vi.stubGlobal('history', { state: { linkToken: 'abc' } })
  client.api = fakeApi({ trackOrder: call })
  keepMount($tracking)
  call.mockResolvedValue(orderNamed('PZ-1'))
  await trackOrder()
})
afterEach(() => {
  cleanStores($tracking)
  vi.unstubAllGlobals()
})

/** Lets the visitor come back to the page, and waits until what follows has happened. */
async function comeBack() {
  call.mockClear()
  page.look(true)
  expect(call).toHaveBeenCalledTimes(1)
  await new Promise(resolve => setImmediate(resolve))
}

test('an order of a mailed link is loaded again when the visitor comes back to the page', async () => {
  call.mockResolvedValue(orderNamed('PZ-2'))

  await comeBack()

  expect($tracking.get()).toMatchObject({ state: 'ready', order: { number: 'PZ-2' } })
})

test('an order stays on the page when it cannot be loaded again', async () => {
  call.mockRejectedValue(new ApiError(503, 'Please try again later'))

  await comeBack()

  expect($tracking.get()).toMatchObject({ state: 'ready', order: { number: 'PZ-1' } })
})

test('an order is no longer shown once its link has ended', async () => {
  call.mockRejectedValue(new ApiError(422, 'This link has expired'))

  await comeBack()

  expect($tracking.get()).toEqual({ state: 'dead', message: 'This link has expired' })
})
