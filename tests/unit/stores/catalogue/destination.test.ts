import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $destination } from '#stores/catalogue/destination.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { PageEvents } from '#tests/support/browser/page-events.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

type Account = Awaited<ReturnType<Api['getAccount']>>

const ADDRESS = { name: '', address: '', phone: '', postal: '', province: '', city: '', area: '' }
const accountIn = (shipping: string, country = 'Ghana'): Account => ({
  country,
  currency: 'USD',
  shippingDetails: { ...ADDRESS, country: shipping },
})

let page: EventTarget
const follow = () => $destination.subscribe(() => undefined)
const shown = () => $destination.get()

beforeEach(() => {
  page = new PageEvents()
  vi.stubGlobal('document', new PageEvents())
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  $customerToken.set(tokenOf('ada'))
})
afterEach(() => {
  // Stores stay mounted for a second after their last listener.
  cleanStores($destination)
  vi.unstubAllGlobals()
})

test.each([
  [accountIn('Kenya'), 'Kenya'],
  [accountIn('', 'Ghana'), 'Ghana'],
  [accountIn('', ''), ''],
])('the destination is the account’s shipping country, or its country: %j', async (account, country) => {
  client.api = fakeApi({ getAccount: () => Promise.resolve(account) })

  follow()

  await expect.poll(shown).toBe(country)
})

test('an account that cannot be loaded is ignored; the known destination stays', async () => {
  const getAccount = vi.fn<Api['getAccount']>().mockRejectedValue(new ApiError(503, 'Try again in a moment'))
  client.api = fakeApi({ getAccount })
  follow()
  await expect.poll(shown).toBe(null)

  getAccount.mockResolvedValueOnce(accountIn('Kenya'))
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'accountChanged' }))
  await expect.poll(shown).toBe('Kenya')
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await vi.waitFor(() => expect(getAccount).toHaveBeenCalledTimes(3), PATIENCE)
  await expect.poll(shown).toBe('Kenya')
})

test('the destination is never another customer’s, even when responses are late', async () => {
  const answers: ((account: Account) => void)[] = []
  client.api = fakeApi({ getAccount: () => new Promise(resolve => answers.push(resolve)) })
  follow()
  $customerToken.set(tokenOf('grace', 'Grace'))

  answers[1]?.(accountIn('Ghana'))
  answers[0]?.(accountIn('Kenya'))
  await expect.poll(shown).toBe('Ghana')
  await Promise.resolve()
  expect($destination.get()).toBe('Ghana')

  $customerToken.set(undefined)
  expect($destination.get()).toBeUndefined()
})
