import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Id, Usd } from './wire.ts'

/** Product facts available to automated replies. `description` is an excerpt without markup. */
export const TrainingProduct = renamed(
  {
    _id: z.string(),
    slug: z.string(),
    name: z.string(),
    category: z.string(),
    brand: z.string(),
    price: Usd,
    discount: z.number(),
    stock: z.int(),
    description: z.string(),
    rating: z.number(),
  },
  { price: 'priceCents' },
)
export type TrainingProduct = z.output<typeof TrainingProduct>

/** Public facts about a shop for its automated replies. 404 if the seller has not enabled them. */
export const getTrainingData = endpoint({
  method: 'GET',
  path: '/home/store/training-data/:sellerId',
  input: z.object({ sellerId: Id('sellerId') }),
  output: renamed({ storeName: z.string(), products: z.array(TrainingProduct) }, { storeName: 'shopName' }),
})
