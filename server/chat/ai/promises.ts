import { discountedCents } from '#contract/rules.ts'
import type { Question } from './assistant.ts'
import { isUnsafeContact } from './contacts.ts'

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`
const AMOUNT = new RegExp(
  String.raw`(?:\bUS\s?\$|[$€£¥₦₹]|\b(?:USD|EUR|GBP|NGN|KES|KSh))\s?(${NUMBER})|(${NUMBER})\s?(?:US\s)?(?:[$€£¥₦₹]|(?:USD|EUR|GBP|NGN|KES|KSh|dollars?|bucks|cents?|euros?|pounds?|naira|shillings?)\b)`,
  'giu',
)
const IN_DOLLARS = /\$|USD|dollar|bucks/i
const NAMED_PRICE = new RegExp(
  String.raw`\b(?:costs?|prices?|priced|pay|only|just|sells?|selling)\b(?:[^\S\n]+(?:is|are|of|at|for|now|only|just|you|it|them|to))*[^\S\n]+(${NUMBER})(?![\d%])`,
  'giu',
)
/** Prices such as `get it for 20`, unless another unit follows. */
const BARE_PRICE = new RegExp(
  String.raw`\b(?:have|get|take|buy|yours)\b[^\n\d]{0,20}\bfor\s+(${NUMBER})(?![\d%])(?!\s*-?\s*\p{L})`,
  'giu',
)
const IN_WORDS =
  /\b(?:an?|single|zero|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|thousand|few)\s+(?:us\s+)?(?:dollars?|bucks|cents?)\b/i
const PERCENT =
  /(\d+(?:\.\d+)?)\s?(?:%|percent)\s*(?:(?:off|discount|less|cheaper|reduc\w*)|(?:from|of|on)\b[^\n]{0,20}\b(?:price|order|total|cost)s?\b)/gi

/** Sentences that only a person of the shop may say: an automated reply has done nothing and decides nothing. */
const PROMISES = [
  /\b(?:complimentary|on the house|gift from|half[\s-](?:the )?price|buy one|(?:\d+|two|three) for (?:\d+|one|two))\b/i,
  /\b(?:half|third|quarter|fifth|tenth)\s+off\b/i,
  /\b(?:pay|owe|costs?)\s+(?:you\s+)?(?:nothing|zero|less)\b/i,
  /(?:\bnot|n['’]t|\bnever)\s+(?:have to |need to )?(?:pay|be charged)\b/i,
  /\b(?:cover|bear|absorb)\w*\b[^\n]{0,20}\b(?:cost|fee|charge|shipping|price)/i,
  /\b(?:use|enter|apply|quote)\b[^\n]{0,20}\bcode\b/i,
  /\b(?:money|payment|amount|sum|cash|pay|paid)\b[^\n]{0,40}\b(?:back|returned|credited|reversed)\b/i,
  /\b(?:return|giv|send|transfer)\w*\b[^\n]{0,20}\b(?:money|payment|amount)\b/i,
  /\bchargebacks?\b/i,
  /\b(?:warrant\w*|lifetime)\b/i,
  /\b(?:i|we)(?:\s+have|['’]ve)\s+(?:just |already |now )?(?:cancel|chang|updat|upgrad|approv|process|ship|sent|dispatch|credit|arrang|confirm)/i,
  /\b(?:arriv|deliver|reach|receiv|ship)\w*\b[^\n]{0,40}\b(?:today|tonight|tomorrow|within \d+ (?:hours?|minutes?))\b/i,
  /\b(?:promis|guarant|assur)\w*/i,
  /\b(?:i|we|our team|the (?:shop|store|seller)|piazza|somebody|someone)\b[^\n]{0,50}\b(?:refund|reimburs|credit|compensat|waiv|discount|voucher|coupon|money back)/i,
  /\brefunds?\b[^\n]{0,40}\b(?:approved|issued|processed|granted|initiated|sent|complete\w*|confirmed|on (?:its|the) way)\b/i,
  /\b(?:approved|issued|processed|granted|initiated|sent|confirmed)\b[^\n]{0,40}\brefunds?\b/i,
  /\b(?:for free|free of charge|at no (?:extra |additional )?cost|no charge|free (?:gift|item|product|shipping|delivery|replacement|upgrade|of))\b/i,
  /\b(?:coupon|voucher|promo(?:tion)?|discount|gift)\s?(?:code|card)s?\b/i,
]
const MONEY_BACK = /\b(?:refund\w*|reimburs\w*|money back|store credit|compensat\w*|(?:a|your) replacement)/i
/** Such a sentence says what customers may ask for, not what they will get. */
const ASKING = /\b(?:can|may|could|to)\s+(?:always\s+)?(?:ask|request|apply|write)\b/i

/** Words that nearly every English sentence of some length contains, and few sentences in other languages. */
const ENGLISH =
  /\b(?:the|to|are|you|your|and|our|it|this|that|with|have|has|can|be|if|from|will|would|not|all|any|they|there|which|please|thanks?|sorry|left|stock)\b/i
const SOME_LENGTH = 5

/**
 * Removes each sentence that names a price which is not in the shop's data, promises the shop's money, leads away from
 * the shop or asks for secret data. Removes sentences in other languages, too, because they cannot be checked.
 */
export function withoutPromises(text: string, question: Question): string {
  const known = knownOf(question)
  return text
    .split('\n')
    .map(line =>
      line
        .split(/(?<=[.!?])\s+/u)
        .filter(sentence => isHarmless(sentence, known))
        .join(' '),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

interface Known {
  /** All known data as text. */
  data: string
  cents: Set<number>
  discounts: Set<number>
}

function isHarmless(sentence: string, { data, cents, discounts }: Known): boolean {
  const words = sentence.match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.length >= SOME_LENGTH && !ENGLISH.test(sentence)) return false
  if (isUnsafeContact(sentence, data)) return false
  if (IN_WORDS.test(sentence) || PROMISES.some(promise => promise.test(sentence))) return false
  if (MONEY_BACK.test(sentence) && !ASKING.test(sentence)) return false
  const amounts = [...sentence.matchAll(AMOUNT)]
  const named = [...sentence.matchAll(NAMED_PRICE), ...sentence.matchAll(BARE_PRICE)]
  return (
    amounts.every(([whole, before, after]) => IN_DOLLARS.test(whole) && cents.has(toCents(before ?? after ?? ''))) &&
    named.every(([, amount = '']) => cents.has(toCents(amount))) &&
    [...sentence.matchAll(PERCENT)].every(([, percent]) => discounts.has(Number(percent)))
  )
}

function knownOf({ products, matches, shippingRates, orders }: Question): Known {
  const all = [...products, ...matches]
  return {
    data: JSON.stringify([products, matches, orders]),
    cents: new Set([
      ...all.flatMap(product => [product.priceCents, discountedCents(product)]),
      ...Object.values(shippingRates),
      ...orders.map(({ priceCents }) => priceCents),
    ]),
    discounts: new Set(all.map(({ discount }) => discount)),
  }
}

function toCents(amount: string): number {
  return Math.round(Number(amount.replaceAll(',', '')) * 100)
}
