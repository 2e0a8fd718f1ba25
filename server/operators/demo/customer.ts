import type { users } from '#server/db/schema.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { NO_FIELD } from '#contract/rules.ts'
import { demoId } from './rows.ts'

export const DEMO_ADDRESS = {
  name: 'Demo Customer',
  address: '1 Fountain Square',
  phone: '+1 202 555 0143',
  postal: '10001',
  province: 'New York',
  city: 'New York',
  area: NO_FIELD,
  country: 'United States',
}

/** The only demo account that can sign in. */
export const DEMO_CUSTOMER = { email: 'demo@piazza.example', password: 'Piazza-2025!' }

export const customerId = demoId('customer', DEMO_CUSTOMER.email)

export async function customerRow(): Promise<typeof users.$inferInsert> {
  const { email, password } = DEMO_CUSTOMER
  return {
    id: customerId,
    name: 'Demo Customer',
    email,
    passwordHash: await openPasswords().hash(password),
    emailConfirmedAt: new Date(),
    country: DEMO_ADDRESS.country,
    shippingDetails: DEMO_ADDRESS,
    isDemo: true,
  }
}
