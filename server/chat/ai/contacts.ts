/** Channels and payments that the shop cannot see. */
const ELSEWHERE = [
  /\b(?:whats\s?app|telegram|wechat|viber|skype|facebook|instagram|tik\s?tok|snapchat)\b/i,
  /(?<![\p{L}\p{N}])@\p{L}[\p{L}\p{N}_.]{2,}/u,
  /\b(?:iban|bank (?:transfer|account)|wire transfer|western union|moneygram|bitcoins?|btc|usdt|ethereum|crypto\w*|paypal|cash\s?app|zelle|venmo|gift cards?)\b/i,
]
/** Data that no shop needs from a customer. */
const SECRETS = [
  /\b(?:passwords?|passcodes?|cvv|cvc|otp|card (?:number|details)|(?:security|verification|confirmation|one-time|login|sms) codes?)\b/i,
  /\bcodes?\b[^\n]{0,30}\b(?:sms|text|receiv\w*|e-?mail)/i,
  /\bPIN\b/,
]
const DATE = /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/g
/** Digits that may be a telephone or account number. */
const LONG_NUMBER = /\+?\(?\d(?:[\s()./-]*\d){6,}/g

/**
 * Whether a sentence leads the customer away from the shop or asks for secret data. Long numbers are allowed only if
 * they occur in `data`, the shop's data as text.
 */
export function isUnsafeContact(sentence: string, data: string): boolean {
  if ([...ELSEWHERE, ...SECRETS].some(pattern => pattern.test(sentence))) return true
  const numbers = sentence.replace(DATE, '').match(LONG_NUMBER) ?? []
  return numbers.some(number => !data.includes(number.trim()))
}
