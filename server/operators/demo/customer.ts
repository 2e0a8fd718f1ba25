import type { users } from '../../db/schema.ts'
import { openPasswords } from '../../accounts/passwords.ts'
import { demoId } from './rows.ts'

/** The only demo account that can sign in. */
export const DEMO_CUSTOMER = { email: 'demo@piazza.example', password: 'Piazza-2025!' }

export async function customerRow(): Promise<typeof users.$inferInsert> {
  const { email, password } = DEMO_CUSTOMER
  return {
    id: demoId('customer', email),
    name: 'Demo Customer',
    email,
    passwordHash: await openPasswords().hash(password),
    emailConfirmedAt: new Date(),
    country: 'United States',
    shippingDetails: {
      name: 'Demo Customer',
      address: '1 Fountain Square',
      phone: '+1 202 555 0143',
      postal: '10001',
      province: 'New York',
      city: 'New York',
      area: 'Midtown',
      country: 'United States',
    },
    isDemo: true,
  }
}
