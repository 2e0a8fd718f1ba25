import type { TrainingProduct } from '#contract/training.ts'
import type { Question } from '#server/chat/ai/assistant.ts'

export const LAMP: TrainingProduct = {
  _id: 'lamp',
  slug: 'oak-lamp',
  name: 'Oak lamp',
  category: 'Lamps',
  brand: 'Ada',
  priceCents: 2599,
  discount: 10,
  stock: 3,
  description: 'Warm light.',
  rating: 4.5,
}

/** A customer's message to a shop that sells lamps to Kenya. */
export function questionOf(text: string, change: Partial<Question> = {}): Question {
  return {
    text,
    subject: '',
    history: [],
    shopName: 'Ada Shop',
    products: [LAMP],
    matches: [],
    shippingRates: { Kenya: 550, Ghana: 725 },
    country: 'Kenya',
    orders: [],
    publicUrl: 'https://shop.example',
    ...change,
  }
}
