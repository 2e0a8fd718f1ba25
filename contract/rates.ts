import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'

/** Units of each currency per US dollar. USD is always included, as 1. */
export const getRates = endpoint({
  method: 'GET',
  path: '/rates',
  input: NoInput,
  output: z.object({ base: z.literal('USD'), rates: z.record(z.string(), z.number()) }),
})
