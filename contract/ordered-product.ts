import * as z from 'zod/mini'
import { fromSnapshot, Product, type ProductSnapshot } from './product.ts'
import { ChosenVariant } from './variants.ts'
import { completed } from './wire.ts'

const WireSnapshot = completed(Product, ({ _id = '' }) => ({
  _id,
  slug: _id,
  category: '',
  stock: 0,
  description: '',
  rating: 0,
}))
/** Units of one variant in an order. Clients of this API family expect a whole product. */
export const OrderedProduct = z.object({
  quantity: z.int(),
  productInfo: z.codec(WireSnapshot, z.custom<ProductSnapshot>(), {
    decode: product => product,
    encode: fromSnapshot,
  }),
  variant: z.optional(ChosenVariant),
})
export type OrderedProduct = z.output<typeof OrderedProduct>
