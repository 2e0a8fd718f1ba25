import type { Category } from '#contract/chat.ts'
import { discountedCents } from '#contract/rules.ts'
import { dollars } from '../usd.ts'
import type { KnownOrder, Question } from './assistant.ts'

/** An answer that is true whatever the customer asked; `followUp` asks for what is still missing. */
export interface Template {
  text: string
  followUp?: string
}

type Product = Question['products'][number]

const MOST_PRODUCTS = 3
const MOST_COUNTRIES = 6
const MOST_ORDERS = 3

/** What the shop says to a message of this kind, from its own data alone. */
export function templateFor(category: Category, question: Question): Template {
  return TEMPLATES[category](question)
}

const TEMPLATES: Record<Category, (question: Question) => Template> = {
  product_inquiry: ({ shopName, matches, products, publicUrl }) => {
    const found = matches.length > 0 ? matches : products
    const lines = found.slice(0, MOST_PRODUCTS).map(product => productLine(product, publicUrl))
    const opening = matches.length > 0 ? 'this is what fits your question' : 'these are what our customers like best'
    return {
      text:
        lines.length > 0
          ? [`Thank you for your interest in ${shopName}; ${opening}:`, ...lines].join('\n')
          : `Thank you for your interest in ${shopName}. We have nothing in the shop right now.`,
      followUp: `Which of them would you like to know more about? If you would rather hear from a person, say so: ${shopName} reads this conversation.`,
    }
  },

  shipping_status: ({ shopName, orders, shippingRates, country, publicUrl }) => ({
    text: [
      ...(orders.length > 0
        ? [
            `This is where your orders from ${shopName} are:`,
            ...orders.slice(0, MOST_ORDERS).map(order => orderLine(order, publicUrl)),
          ]
        : [`I see no order of yours at ${shopName} yet.`]),
      ratesLine(shopName, shippingRates, country),
    ].join('\n'),
    followUp: 'Is it about another order, or another country? Tell me which one.',
  }),

  return_refund: ({ shopName, publicUrl }) => ({
    text: [
      'I am sorry that something is not as you hoped. You can return a product within 30 days of the day it was delivered, if it is unused and complete.',
      `Once ${shopName} has the parcel and has looked at it, a refund takes 5–7 business days to arrive. Whether there is one is for ${shopName} to say, not for me.`,
      `How it works: ${publicUrl}/return-refund-policy`,
    ].join('\n'),
    followUp: 'Which product is it about, and what is wrong with it? A picture helps.',
  }),

  technical_issue: ({ shopName, publicUrl }) => ({
    text: `I am sorry that something does not work. Reloading the page or signing in again often helps; what you have ordered is under ${publicUrl}/dashboard/my-orders. If it still fails, write what you did and what you saw: ${shopName} reads this conversation.`,
  }),

  general_query: ({ shopName, publicUrl }) => ({
    text: `Thank you for writing to ${shopName}. I can tell you about our products (${publicUrl}/products), shipping, and returns within 30 days. For everything else ${shopName} reads this conversation and answers as soon as somebody is there.`,
  }),

  urgent_support: ({ shopName }) => ({
    text: `I have marked your message, so that ${shopName} sees that it is urgent. Somebody answers here as soon as they can. If there is an order number, please write it down here: that saves time.`,
  }),
}

function productLine(product: Product, publicUrl: string): string {
  const stock = product.stock > 0 ? 'in stock' : 'out of stock'
  return `• ${product.name}, ${dollars(discountedCents(product))}, ${stock}: ${publicUrl}/product/details/${product.slug}`
}

const DELIVERY: Record<KnownOrder['deliveryStatus'], string> = {
  Pending: 'waits for its payment',
  Processing: 'is paid and being prepared',
  Shipped: 'is on its way',
  Delivered: 'is delivered',
  Cancelled: 'is cancelled',
}

function orderLine({ id, date, deliveryStatus }: KnownOrder, publicUrl: string): string {
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `• Your order of ${day} ${DELIVERY[deliveryStatus]}: ${publicUrl}/dashboard/order/details/${id}`
}

/** The customer's country first; a product may have rates of its own. */
function ratesLine(shopName: string, rates: Record<string, number>, country: string): string {
  const all = Object.entries(rates).toSorted(
    ([one], [other]) => Number(other === country) - Number(one === country) || one.localeCompare(other),
  )
  if (all.length === 0) return `Each product of ${shopName} says on its page where it ships to, and for how much.`
  const named = all.slice(0, MOST_COUNTRIES).map(([name, cents]) => `${name} (${dollars(cents)})`)
  const more = all.length > MOST_COUNTRIES ? ` and ${all.length - MOST_COUNTRIES} more countries` : ''
  return `${shopName} usually ships to ${named.join(', ')}${more}. Each product’s page says it exactly.`
}
