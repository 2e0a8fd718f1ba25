import type * as z from 'zod/mini'
import { type Schema, wireSchema } from './api-text.ts'

/** Values for fields whose schema accepts any text and then checks it further. */
const SAMPLES: Record<string, unknown> = {
  email: 'ada@customers.test',
  newEmail: 'ada@customers.test',
  password: 'Piazza-2025!',
  newPassword: 'Piazza-2025!',
  name: 'Ada',
  country: 'Kenya',
  currency: 'USD',
  verified: 'true',
  featured: 'false',
  literal: 'true',
  sortPrice: 'low-to-high',
  sort: 'lowest',
  inStock: 'true',
  delivery_status: 'Shipped',
}
const NUMBERS = { number: 4.5, integer: 4 } as Record<string, unknown>

/** A value with every field of the schema, including optional ones. */
export function wireSample(schema: z.ZodMiniType): unknown {
  return sample(wireSchema(schema), '4')
}

function sample(schema: Schema, name: string): unknown {
  const { anyOf, const: only, enum: choices, format, items, prefixItems, properties, type = '' } = schema
  const { additionalProperties } = schema
  if (anyOf) return sample(anyOf[0] as Schema, name)
  if (only !== undefined) return only
  if (choices) return choices[0]
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, sample(field as Schema, key)]))
  }
  if (prefixItems) return prefixItems.map(item => sample(item as Schema, name))
  if (items) return [sample(items as Schema, name)]
  if (additionalProperties) return { Kenya: sample(additionalProperties as Schema, name) }
  if (type === 'boolean') return true
  if (format === 'date-time') return '2025-10-03T14:05:00.000Z'
  return NUMBERS[String(type)] ?? SAMPLES[name] ?? '4'
}
