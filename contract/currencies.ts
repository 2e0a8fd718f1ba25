import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'

/** The currencies in which prices can be shown. The wire carries their codes. */
export const CURRENCIES = [
  { code: 'USD', name: 'US dollar' },
  { code: 'EUR', name: 'Euro' },
  { code: 'GBP', name: 'British pound' },
  { code: 'NGN', name: 'Nigerian naira' },
  { code: 'JPY', name: 'Japanese yen' },
  { code: 'CAD', name: 'Canadian dollar' },
  { code: 'AUD', name: 'Australian dollar' },
  { code: 'INR', name: 'Indian rupee' },
  { code: 'CNY', name: 'Chinese yuan' },
  { code: 'BRL', name: 'Brazilian real' },
  { code: 'ZAR', name: 'South African rand' },
  { code: 'KES', name: 'Kenyan shilling' },
  { code: 'MXN', name: 'Mexican peso' },
  { code: 'RUB', name: 'Russian rouble' },
  { code: 'SAR', name: 'Saudi riyal' },
] as const

/** Units of each currency per US dollar. USD is always included, as 1. */
export const getRates = endpoint({
  method: 'GET',
  path: '/rates',
  input: NoInput,
  output: z.object({ base: z.literal('USD'), rates: z.record(z.string(), z.number()) }),
})
