import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { updateAccount } from '#contract/account.ts'
import { auditEvents } from '#server/db/schema.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, request, close } = await startProvider()
afterAll(close)

const shippingDetails = {
  name: 'Ada Lovelace',
  address: '12 St James’s Square',
  phone: '+44 20 7946 0000',
  postal: 'SW1Y 4JH',
  province: 'Greater London',
  city: 'London',
  area: 'Westminster',
  country: 'United Kingdom',
}
const form = { country: 'Kenya', currency: 'KES', shippingDetails }

function put(token: string, body: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return request(`/api${updateAccount.path}`, { method: 'PUT', body: JSON.stringify(body), headers })
}

describe('account details', () => {
  test('are empty at first, with US dollars as the currency', async () => {
    const { api } = await customer()
    const empty = Object.fromEntries(Object.keys(shippingDetails).map(name => [name, '']))

    expect(await api.getAccount({})).toEqual({
      country: '',
      currency: 'USD',
      emailConfirmed: true,
      shippingDetails: empty,
    })
  })

  test('are saved with the surrounding spaces trimmed', async () => {
    const { api } = await customer()
    const spaced = { ...shippingDetails, city: '  London ' }

    expect(await api.updateAccount({ ...form, shippingDetails: spaced })).toEqual({
      message: 'Account updated successfully',
    })
    expect(await api.getAccount({})).toEqual({ ...form, emailConfirmed: true })
  })

  test('are not written to the audit when they change; only the event is', async () => {
    const { api, id } = await customer()

    await api.updateAccount(form)

    const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, id))
    expect(events).toContainEqual(expect.objectContaining({ event: 'account', outcome: 'ok', details: {} }))
  })

  test('are visible only to the customer who saved them', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]
    await ada.api.updateAccount(form)

    expect(await grace.api.getAccount({})).toMatchObject({ country: '', currency: 'USD' })
  })

  test('ignore fields that are not on the form, such as email, isDemo and passwordHash', async () => {
    const { api, token, email, password } = await customer()
    const more = { ...form, id: 'x', email: 'other@x.test', isDemo: true, passwordHash: 'x' }

    expect((await put(token, more)).status).toBe(200)
    expect(await api.getAccount({})).toEqual({ ...form, emailConfirmed: true })
    expect(await api.login({ email, password })).toMatchObject({ message: 'Login success' })
  })

  test('accept `post`, the checkout’s name for the postal code', async () => {
    const { api, token } = await customer()
    const { postal: post, ...rest } = shippingDetails

    expect((await put(token, { ...form, shippingDetails: { ...rest, post } })).status).toBe(200)
    expect(await api.getAccount({})).toEqual({ ...form, emailConfirmed: true })
  })

  test.each([
    ['country', 'Country is required'],
    ['currency', 'Currency is required'],
    ['shippingDetails.name', 'Name is required'],
    ['shippingDetails.address', 'Address is required'],
    ['shippingDetails.phone', 'Phone is required'],
    ['shippingDetails.postal', 'Postal code is required'],
    ['shippingDetails.province', 'Province is required'],
    ['shippingDetails.city', 'City is required'],
    ['shippingDetails.area', 'Area is required'],
    ['shippingDetails.country', 'Shipping country is required'],
  ])('require %s', async (path, message) => {
    const { token } = await customer()
    const [field = '', inner] = path.split('.')
    const wrong = inner ? { ...form, shippingDetails: { ...shippingDetails, [inner]: ' ' } } : { ...form, [field]: ' ' }

    const answer = await put(token, wrong)

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: message, fields: { [path]: message } })
  })

  test.each([
    [{ country: 'Atlantis' }, 'Country is not in the list'],
    [{ currency: 'XYZ' }, 'Currency is not in the list'],
    [{ country: '__proto__' }, 'Country is not in the list'],
  ])('reject countries and currencies that are not in the list: %j', async (wrong, message) => {
    const { token } = await customer()

    expect(await (await put(token, { ...form, ...wrong })).json()).toMatchObject({ error: message })
  })

  test.each([{ shippingDetails: {} }, {}])('return all missing fields in one error response: %j', async wrong => {
    const { token } = await customer()

    const { error, fields } = (await (await put(token, { country: '', ...wrong })).json()) as {
      error: string
      fields: object
    }

    expect(error).toBe('Country is required')
    expect(Object.keys(fields)).toHaveLength(10)
  })
})
