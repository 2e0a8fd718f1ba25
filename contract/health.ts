import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  input: NoInput,
  output: z.object({
    status: z.literal('ok'),
    database: z.enum(['embedded', 'postgresql']),
    durability: z.string(),
  }),
})
