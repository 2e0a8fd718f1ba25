import { inspect } from 'node:util'
import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { Order, SellerOrder } from '#contract/orders.ts'
import { PriceSummary } from '#contract/order-sums.ts'
import { wireSample } from '#tests/support/contract/wire-samples.ts'

const inputs = Object.entries(endpoints).map(([name, { input }]) => [`${name} takes`, input] as const)
const outputs = Object.entries(endpoints).map(([name, { output }]) => [`${name} returns`, output] as const)
const others = Object.entries({ Order, SellerOrder, PriceSummary })
// Order and SellerOrder cover the output of getOrder.
const schemas = [...inputs, ...outputs, ...others].filter(([name]) => name !== 'getOrder returns')

const decode = (schema: z.ZodMiniType) => z.decode(schema, wireSample(schema))

/** After an intended change of our names, run this file with `-u` and review the diff. */
test('decoded samples match the approved names and units', async () => {
  const texts = schemas.map(
    ([name, schema]) => `${name} ${inspect(decode(schema), { depth: null, breakLength: 120 })}\n`,
  )

  await expect(texts.join('\n')).toMatchFileSnapshot('../../fixtures/decoded.txt')
})

test('an order is encoded with its parts, and with its shipping under two names', () => {
  const wire = { order: wireSample(Order) as { shippingPrice: number }, sellerOrders: [wireSample(SellerOrder)] }
  const { output } = endpoints.getOrder

  const again = z.encode(output, z.decode(output, wire as never))

  expect(again).toMatchObject({ ...wire, order: { ...wire.order, shipping_fee: wire.order.shippingPrice } })
})

describe('decoding and encoding returns the same wire format', () => {
  test.each(schemas)('%s', (_name, schema) => {
    expect(z.encode(schema, decode(schema) as never)).toMatchObject(wireSample(schema) as object)
  })
})
