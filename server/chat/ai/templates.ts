import type { Category } from '#contract/chat.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { orderPath, productPath } from '#contract/page-urls.ts'
import { discountedCents, REFUND_DAYS, RETURN_DAYS } from '#contract/rules.ts'
import { dollars } from '#server/platform/usd.ts'
import type { KnownOrder, Question } from './assistant.ts'

/** A reply that is true for any message of its category; `followUp` asks for missing details. */
export interface Template {
  text: string
  followUp?: string
}

type Product = Question['products'][number]

const MAX_PRODUCTS = 3
const MAX_COUNTRIES = 6
const MAX_ORDERS = 3
const LIMIT = /\b(?:under|below|less than|cheaper than|up to|at most|max(?:imum)?)\s*(?:US)?\$?\s?(\d[\d,]*(?:\.\d+)?)/i
const CHEAP = /\b(?:cheap\w*|lowest price|least expensive|affordable|budget)\b/i
const ASKS_WHEN = /\b(?:how long|how fast|how many days|when)\b/i

/** A reply to a message of this category, from the shop's own data alone. */
export function templateFor(category: Category, question: Question): Template {
  return TEMPLATES[category](question)
}

const TEMPLATES: Record<Category, (question: Question) => Template> = {
  product_inquiry: question => {
    const { text, product, shopName, publicUrl } = question
    const person = `If you would rather hear from a person, say so: ${shopName} reads this conversation.`
    if (product && !LIMIT.test(text) && !CHEAP.test(text)) {
      const facts = [productLine(product, publicUrl), product.description].filter(Boolean)
      return {
        text: ['This is what I know about it:', ...facts].join('\n'),
        followUp: `What else would you like to know? ${person}`,
      }
    }
    const { opening, products } = choose(question)
    const lines = products.slice(0, MAX_PRODUCTS).map(each => productLine(each, publicUrl))
    return lines.length > 0
      ? {
          text: [`Thank you for your interest in ${shopName}. ${opening}:`, ...lines].join('\n'),
          followUp: `Which of them would you like to know more about? ${person}`,
        }
      : {
          text: `Thank you for your interest in ${shopName}. There is nothing in the shop right now.`,
          followUp: `What are you looking for? ${person}`,
        }
  },

  shipping_status: ({ text, shopName, orders, shippingRates, country, publicUrl }) => ({
    text: [
      ...(orders.length > 0
        ? [
            `This is where your orders from ${shopName} are:`,
            ...orders.slice(0, MAX_ORDERS).map(order => orderLine(order, publicUrl)),
          ]
        : [`I see no order of yours at ${shopName} yet.`]),
      ratesLine(shopName, shippingRates, countryIn(text) ?? country),
      ...(ASKS_WHEN.test(text) ? [`How long a parcel takes, I cannot say; ${shopName} can.`] : []),
    ].join('\n'),
    followUp: 'Is it about another order, or another country? Tell me which one.',
  }),

  return_refund: ({ shopName, publicUrl }) => ({
    text: [
      `I am sorry that something is not as you hoped. You can return a product within ${RETURN_DAYS} days of the day it was delivered, if it is unused and complete.`,
      `Once ${shopName} has the parcel and has looked at it, a refund takes ${REFUND_DAYS} business days to arrive. Whether there is one is for ${shopName} to say, not for me.`,
      `How it works: ${publicUrl}/return-refund-policy`,
    ].join('\n'),
    followUp: 'Which product is it about, and what is wrong with it? A picture helps.',
  }),

  technical_issue: ({ shopName, publicUrl }) => ({
    text: `I am sorry that something does not work. Reloading the page or signing in again often helps; what you have ordered is under ${publicUrl}/dashboard/my-orders. If it still fails, write what you did and what you saw: ${shopName} reads this conversation.`,
  }),

  general_query: ({ shopName, publicUrl }) => ({
    text: `Thank you for writing to ${shopName}. I can tell you about our products (${publicUrl}/products), shipping, and returns within ${RETURN_DAYS} days. For everything else ${shopName} reads this conversation and answers as soon as somebody is there.`,
  }),

  urgent_support: ({ shopName }) => ({
    text: `I have marked your message, so that ${shopName} sees that it is urgent. Somebody answers here as soon as they can. If there is an order number, please write it down here: that saves time.`,
  }),
}

/**
 * Chooses from the products that match the message, or else from the best-selling ones: those that the customer can
 * afford, or all if none.
 */
function choose({ text, matches, products }: Question): { opening: string; products: Product[] } {
  const found = matches.length > 0 ? matches : products
  const byPrice = found.toSorted((one, other) => discountedCents(one) - discountedCents(other))
  const [, most] = LIMIT.exec(text) ?? []
  if (most) {
    const affordable = byPrice.filter(product => discountedCents(product) <= Number(most.replaceAll(',', '')) * 100)
    if (affordable.length === 0)
      return { opening: 'I found nothing at that price; this comes closest', products: byPrice }
    return { opening: 'This is what you can have at that price', products: affordable.toReversed() }
  }
  if (CHEAP.test(text)) return { opening: 'These cost the least', products: byPrice }
  return {
    opening: matches.length > 0 ? 'This may be what you mean' : 'This is what our customers like best',
    products: found,
  }
}

function productLine(product: Product, publicUrl: string): string {
  const stock = product.stock > 0 ? 'in stock' : 'out of stock'
  return `• ${product.name}, ${dollars(discountedCents(product))}, ${stock}: ${publicUrl}${productPath(product)}`
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
  return `• Your order of ${day} ${DELIVERY[deliveryStatus]}: ${publicUrl}${orderPath(id)}`
}

function countryIn(text: string): string | undefined {
  const spaced = (words: string) =>
    ` ${words
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, ' ')
      .trim()} `
  const spacedText = spaced(text)
  return COUNTRIES.find(country => spacedText.includes(spaced(country)))
}

/** These are the shop's usual rates; a product may have its own. */
function ratesLine(shopName: string, rates: Record<string, number>, country: string): string {
  const exactly = 'Each product’s page says it exactly.'
  const rate = rates[country]
  if (rate !== undefined) return `${shopName} usually ships to ${country} for ${dollars(rate)}. ${exactly}`
  const all = Object.entries(rates).toSorted(([one], [other]) => one.localeCompare(other))
  if (all.length === 0) return `Each product of ${shopName} says on its page where it ships to, and for how much.`
  const named = all.slice(0, MAX_COUNTRIES).map(([name, cents]) => `${name} (${dollars(cents)})`)
  const more = all.length > MAX_COUNTRIES ? ` and ${all.length - MAX_COUNTRIES} more countries` : ''
  const not = country === '' ? '' : `, not to ${country}`
  return `${shopName} usually ships to ${named.join(', ')}${more}${not}. ${exactly}`
}
