import { afterAll, describe, expect, test } from 'vitest'
import { DEFAULT_ADDRESS } from '#contract/account.ts'
import { MAX_ADDRESSES } from '#contract/rules.ts'
import { addresses } from '#server/db/schema.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const shippingDetails = {
  name: 'Ada',
  address: '12 Analytical Lane',
  phone: '+254 700 000000',
  postal: '00100',
  province: 'Nairobi County',
  city: 'Nairobi',
  area: 'Westlands',
  country: 'Kenya',
}
const entry = (label: string, city = label) => ({ label, shippingDetails: { ...shippingDetails, city } })
const bookOf = async ({ api }: Customer) => (await api.getAddresses({})).addresses
const labels = async (ada: Customer) =>
  (await bookOf(ada)).map(({ label, isDefault }) => (isDefault ? `${label} (default)` : label))

/** A customer whose book has these addresses. */
async function withBook(...names: string[]) {
  const ada = await customer()
  for (const name of names) await ada.api.addAddress(entry(name))
  return { ada, idOf: async (name: string) => (await bookOf(ada)).find(({ label }) => label === name)!.id }
}

describe('the address book', () => {
  test('has several addresses with names, of which the first is the account’s own', async () => {
    const { ada } = await withBook('Home', 'Office')

    expect(await labels(ada)).toEqual(['Home (default)', 'Office'])
    const { shippingDetails: own } = await ada.api.getAccount({})
    expect(own).toMatchObject({ city: 'Home', postal: '00100' })
  })

  test('takes the account form’s address as the default one', async () => {
    const { ada } = await withBook('Home', 'Office')

    await ada.api.updateAccount({ country: 'Kenya', currency: 'KES', ...entry('x', 'Mombasa') })

    expect(await bookOf(ada)).toMatchObject([
      { id: DEFAULT_ADDRESS, label: 'Home', shippingDetails: { city: 'Mombasa' } },
      { label: 'Office', shippingDetails: { city: 'Office' } },
    ])
  })

  test('has an address once, although it is added again after a lost response', async () => {
    const { ada } = await withBook('Home', 'Office')

    await Promise.all(['Home', 'Office', 'Office'].map(name => ada.api.addAddress(entry(name))))
    await ada.api.addAddress(entry('Office', 'Mombasa'))

    expect(await labels(ada)).toEqual(['Home (default)', 'Office', 'Office'])
  })

  test('keeps the former default address when another becomes the default', async () => {
    const { ada, idOf } = await withBook('Home', 'Office', 'Gran')

    await ada.api.makeDefaultAddress({ addressId: await idOf('Office') })
    await ada.api.makeDefaultAddress({ addressId: DEFAULT_ADDRESS })

    expect(await labels(ada)).toEqual(['Office (default)', 'Home', 'Gran'])
    expect((await ada.api.getAccount({})).shippingDetails.city).toBe('Office')
  })

  test('changes and removes addresses, the default one too', async () => {
    const { ada, idOf } = await withBook('Home', 'Office')
    await ada.api.changeAddress({ addressId: await idOf('Office'), ...entry('Studio', 'Kisumu') })
    await ada.api.changeAddress({ addressId: DEFAULT_ADDRESS, ...entry('Flat', 'Nakuru') })
    expect(await bookOf(ada)).toMatchObject([
      { label: 'Flat', shippingDetails: { city: 'Nakuru' } },
      { label: 'Studio', shippingDetails: { city: 'Kisumu' } },
    ])

    await ada.api.removeAddress({ addressId: DEFAULT_ADDRESS })

    expect(await labels(ada)).toEqual(['Studio'])
    expect((await ada.api.getAccount({})).shippingDetails.city).toBe('')
    await ada.api.makeDefaultAddress({ addressId: await idOf('Studio') })
    expect(await labels(ada)).toEqual(['Studio (default)'])
  })

  test('rejects addresses without a name or with a field missing, and those that are not there', async () => {
    const { ada } = await withBook()

    await expect(ada.api.addAddress(entry(' ', 'Nairobi'))).rejects.toMatchObject({
      fields: { label: 'Name of the address is required' },
    })
    await expect(ada.api.addAddress(entry('Home', ' '))).rejects.toMatchObject({
      fields: { 'shippingDetails.city': 'City is required' },
    })
    for (const addressId of [DEFAULT_ADDRESS, 'nothing']) {
      const refusal = { status: 404, message: 'This address is not in your address book' }
      await expect(ada.api.changeAddress({ addressId, ...entry('Home') })).rejects.toMatchObject(refusal)
      await expect(ada.api.removeAddress({ addressId })).rejects.toMatchObject(refusal)
      await expect(ada.api.makeDefaultAddress({ addressId })).rejects.toMatchObject(refusal)
    }
  })

  test('has one default address when several are chosen at once, and loses none', async () => {
    const { ada, idOf } = await withBook('Home', 'Office', 'Gran')
    const ids = [await idOf('Office'), await idOf('Gran')]

    await Promise.allSettled([...ids, ...ids].map(addressId => ada.api.makeDefaultAddress({ addressId })))

    const book = await bookOf(ada)
    expect(book.map(({ label }) => label).toSorted()).toEqual(['Gran', 'Home', 'Office'])
    expect(book.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('takes no more addresses once it is full', async () => {
    const { ada } = await withBook('Home')
    const row = { userId: ada.id, label: 'Office', details: shippingDetails }
    await db.insert(addresses).values(Array.from({ length: MAX_ADDRESSES }, () => row))

    await expect(ada.api.addAddress(entry('One more'))).rejects.toMatchObject({
      status: 422,
      message: 'Your address book is full',
    })
  })
})
