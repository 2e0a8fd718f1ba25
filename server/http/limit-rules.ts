import { RESET_MINUTES } from '#contract/rules.ts'
import { entriesOf } from '../platform/entries.ts'

/** Allows `points` uses within `seconds`. */
export interface Rule {
  points: number
  seconds: number
}

const MINUTE = 60
const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE
/** This many customers behind one address may each use their full limit of calls. */
const CUSTOMERS_PER_IP = 10

/** The limits per account or address. Limits per address leave room for a whole office behind one address. */
export const RULES = {
  register: { points: 100, seconds: HOUR },
  /** Wrong passwords for one account from one address. */
  login: { points: 5, seconds: QUARTER },
  loginPerIp: { points: 30, seconds: QUARTER },
  /** All logins to one account from one address, right ones too: each costs a password hash, and may be a session. */
  logins: { points: 60, seconds: HOUR },
  /**
   * Reset mails to one mailbox that one address requests; requests beyond it get the same response but no mail. Counted
   * before the account is known: without the address, anyone could use up a customer's.
   */
  forgot: { points: 3, seconds: HOUR },
  forgotPerIp: { points: 30, seconds: HOUR },
  /**
   * Reset mails to one account with a confirmed address. Strangers can use it up, but it starts again when the last
   * mailed link expires: until then, the customer can use that link.
   */
  resetMail: { points: 5, seconds: RESET_MINUTES * MINUTE },
  /** Confirmation mails that one account requests. */
  confirmationMail: { points: 5, seconds: 24 * HOUR },
  /**
   * Confirmation mails to one mailbox that one address requests, for all accounts. Registrations beyond it get none.
   */
  confirmationMailPerMailbox: { points: 10, seconds: 24 * HOUR },
  /**
   * All mails with links to the unconfirmed addresses of one mailbox. Beyond it, none are sent. One address cannot use
   * it up (`confirmationMailPerMailbox` and `forgot` allow it 82 a day); a stranger with several can. Customers who
   * have never confirmed their address then get no links for a day, but can order and pay.
   */
  unconfirmedMail: { points: 100, seconds: 24 * HOUR },
  confirmationMailPerIp: { points: 30, seconds: HOUR },
  /** Mails about changes of one account. */
  accountMail: { points: 10, seconds: 24 * HOUR },
  /**
   * Tokens of links that confirm an address. Known ones are counted by account, so that wrong ones, which nobody can
   * guess, keep no other customer behind the same address from using a link.
   */
  confirmEmail: { points: 300, seconds: HOUR },
  /** Wrong current passwords of a signed-in customer, typed to change, download or delete the account. */
  currentPassword: { points: 5, seconds: QUARTER },
  /** All current passwords that a signed-in customer types, right ones too: each costs a password hash. */
  passwordChecks: { points: 30, seconds: HOUR },
  /** Changes of the account that need no password. */
  accountChange: { points: 30, seconds: HOUR },
  /** Requests for an archive of the customer's data, and its downloads. */
  dataDownload: { points: 10, seconds: HOUR },
  /** Tokens of links to new passwords, counted like those of `confirmEmail`. A known one may cost a password hash. */
  reset: { points: 300, seconds: HOUR },
  refresh: { points: 60, seconds: MINUTE },
  placeOrder: { points: 10, seconds: MINUTE },
  /**
   * These and `chatBytes` keep customers from filling the database's disk. Each process counts for itself. Mobile
   * networks put thousands of customers behind one address.
   */
  ordersPerDay: { points: 200, seconds: 24 * HOUR },
  ordersPerDayPerIp: { points: 10_000, seconds: 24 * HOUR },
  /** Mails to one account about its orders. Beyond it, the customer gets only notifications. */
  orderMail: { points: 30, seconds: 24 * HOUR },
  /** Mails about payments and refunds. Counted separately, so that unpaid orders cannot use them up. */
  paymentMail: { points: 60, seconds: 24 * HOUR },
  /** Mails to one account about its alerts. Beyond it, the customer gets only notifications. */
  alertMail: { points: 30, seconds: 24 * HOUR },
  /** Alerts that a customer sets; uses of links that end them, of one customer and from one address. */
  alerts: { points: 60, seconds: HOUR },
  /** Lookups at the payment provider. */
  confirm: { points: 20, seconds: MINUTE },
  /** Views of orders through mailed links, per address. */
  track: { points: 60, seconds: MINUTE },
  /** Requests to cancel or return. */
  returns: { points: 20, seconds: HOUR },
  review: { points: 5, seconds: MINUTE },
  reviewVote: { points: 30, seconds: MINUTE },
  reviewReport: { points: 10, seconds: HOUR },
  chat: { points: 60, seconds: MINUTE },
  /** The texts of messages, and `MESSAGE_BYTES` for each. */
  chatBytes: { points: 2 * 1024 * 1024, seconds: 24 * HOUR },
  chatBytesPerIp: { points: 50 * 1024 * 1024, seconds: 24 * HOUR },
  socketEvents: { points: 100, seconds: MINUTE },
  /** Uploaded files. */
  upload: { points: 20, seconds: 10 * MINUTE },
  uploadBytes: { points: 200 * 1024 * 1024, seconds: 24 * HOUR },
  uploadBytesPerIp: { points: 1000 * 1024 * 1024, seconds: 24 * HOUR },
  ai: { points: 10, seconds: MINUTE },
  aiPerDay: { points: 200, seconds: 24 * HOUR },
  /**
   * Replies of the AI service to a customer who has not confirmed their address, and to all customers behind one
   * address. Both keep a stranger with many accounts from using up `aiBudget`.
   */
  aiUnconfirmed: { points: 20, seconds: 24 * HOUR },
  aiPerIp: { points: 1000, seconds: 24 * HOUR },
  /**
   * Replies of the AI service to all customers together; beyond these three limits, replies are built from the shop's
   * data.
   */
  aiBudget: { points: 5000, seconds: 24 * HOUR },
  search: { points: 60, seconds: MINUTE },
  /** The search field waits 150 ms after each key (`SUGGEST_MS`): nobody can type fast enough to use this up. */
  suggest: { points: 420, seconds: MINUTE },
  /** Audit entries for requests to another customer's data. */
  notYours: { points: 20, seconds: HOUR },
  /** Pages rendered for a visitor; stored pages do not count. */
  render: { points: 300, seconds: MINUTE },
  /** Requests for pictures that the shop does not have: each may cost two requests to the bucket. */
  missingPictures: { points: 300, seconds: MINUTE },
  /** Every call of the API. */
  api: { points: 600, seconds: MINUTE },
  /** Calls of all customers behind one address. */
  apiPerIp: { points: CUSTOMERS_PER_IP * 600, seconds: MINUTE },
} satisfies Record<string, Rule>

/** The limits whose uses are given back, such as those of correct logins. Uses that they reject do not count. */
export const GIVEN_BACK = [
  'login',
  'loginPerIp',
  'currentPassword',
  'ordersPerDay',
  'ordersPerDayPerIp',
  'chat',
  'chatBytes',
  'chatBytesPerIp',
  'orderMail',
  'paymentMail',
  'alertMail',
  'resetMail',
  'unconfirmedMail',
  'uploadBytes',
  'uploadBytesPerIp',
  'missingPictures',
] as const satisfies LimitName[]

export type GivenBack = (typeof GIVEN_BACK)[number]
export type LimitName = keyof typeof RULES
export type Rules = Record<LimitName, Rule>

const ENTRY = /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,4})([smhd])$/
const UNITS: Record<string, number> = { s: 1, m: MINUTE, h: HOUR, d: 24 * HOUR }

/**
 * The default rules, overridden by those in `text` (`register=1000/1h,placeOrder=600/1m`). Overriding `api` also scales
 * `apiPerIp`, unless `text` sets it too. Throws an Error that names the invalid entry.
 */
export function readRules(text = ''): Rules {
  const named: Partial<Rules> = {}
  for (const entry of entriesOf(text)) {
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
