/** How often something may happen: `points` times within `seconds`. */
export interface Rule {
  points: number
  seconds: number
}

const MINUTE = 60
const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE
/** As many customers behind one address may each make all the calls that one may. */
const CUSTOMERS_PER_IP = 10

/** What one account or address may do; those for an address are loose enough for an office behind one. */
export const RULES = {
  register: { points: 100, seconds: HOUR },
  /** Wrong passwords for one account from one address. */
  login: { points: 5, seconds: QUARTER },
  loginPerIp: { points: 30, seconds: QUARTER },
  /** Mails to one account; who asks again is answered the same. */
  forgot: { points: 3, seconds: HOUR },
  forgotPerIp: { points: 30, seconds: HOUR },
  /** Links that confirm an address, to one account: each is a letter to somebody who may not have asked for it. */
  confirmationMail: { points: 5, seconds: 24 * HOUR },
  confirmationMailPerIp: { points: 30, seconds: HOUR },
  confirmEmail: { points: 30, seconds: HOUR },
  reset: { points: 10, seconds: HOUR },
  refresh: { points: 60, seconds: MINUTE },
  placeOrder: { points: 10, seconds: MINUTE },
  /** Letters to one account about its orders. What is beyond it is told by notifications alone. */
  orderMail: { points: 30, seconds: 24 * HOUR },
  /** Those about money, which each cost a payment: orders that are never paid do not use them up. */
  paymentMail: { points: 60, seconds: 24 * HOUR },
  /** Questions to the payment provider. */
  confirm: { points: 20, seconds: MINUTE },
  review: { points: 5, seconds: MINUTE },
  chat: { points: 60, seconds: MINUTE },
  socketEvents: { points: 100, seconds: MINUTE },
  /** Files. */
  upload: { points: 20, seconds: 10 * MINUTE },
  uploadBytes: { points: 200 * 1024 * 1024, seconds: 24 * HOUR },
  uploadBytesPerIp: { points: 1000 * 1024 * 1024, seconds: 24 * HOUR },
  ai: { points: 10, seconds: MINUTE },
  aiPerDay: { points: 200, seconds: 24 * HOUR },
  /** Replies of the AI service to all customers together; beyond it, the shop answers from its own data. */
  aiBudget: { points: 5000, seconds: 24 * HOUR },
  search: { points: 60, seconds: MINUTE },
  /** What is written down of who asks for what is others'. */
  notYours: { points: 20, seconds: HOUR },
  /** Pages that are rendered for a visitor; stored ones are not counted. */
  render: { points: 300, seconds: MINUTE },
  /** Every call of the API. */
  api: { points: 600, seconds: MINUTE },
  /** Calls of all customers behind one address. */
  apiPerIp: { points: CUSTOMERS_PER_IP * 600, seconds: MINUTE },
} satisfies Record<string, Rule>

export type LimitName = keyof typeof RULES
export type Rules = Record<LimitName, Rule>

const ENTRY = /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,4})([smhd])$/
const UNITS: Record<string, number> = { s: 1, m: MINUTE, h: HOUR, d: 24 * HOUR }

/**
 * The rules with those of `text` (`register=1000/1h,placeOrder=600/1m`) in their place; `apiPerIp` follows `api` unless it
 * is named. Throws an Error that names a wrong entry.
 */
export function readRules(text = ''): Rules {
  const named: Partial<Rules> = {}
  for (const entry of text.split(',').map(part => part.trim())) {
    if (entry === '') continue
    const [, name = '', points, count, unit = ''] = ENTRY.exec(entry) ?? []
    if (!name) throw new Error(`'${entry}' is not a limit such as register=1000/1h`)
    if (!isName(name)) throw new Error(`'${name}' is none of ${Object.keys(RULES).join(', ')}`)
    named[name] = { points: Number(points), seconds: Number(count) * (UNITS[unit] ?? 1) }
  }
  const { api } = named
  const apiPerIp = api && { points: CUSTOMERS_PER_IP * api.points, seconds: api.seconds }
  return { ...RULES, ...(apiPerIp && { apiPerIp }), ...named }
}

function isName(name: string): name is LimitName {
  return Object.hasOwn(RULES, name)
}
