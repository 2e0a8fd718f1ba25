import { entriesOf } from '../platform/entries.ts'

/** How much of the stock one customer's unpaid orders may hold together. */
interface HoldLimit {
  /** Units of one variant. */
  units: number
  /** Total value of the orders in cents. */
  cents: number
}

export interface HoldLimits {
  confirmed: HoldLimit
  /** For customers with an unconfirmed email address: anybody can open many such accounts. */
  unconfirmed: HoldLimit
}

const DEFAULTS = { units: 100, value: 100_000, unconfirmedUnits: 10, unconfirmedValue: 10_000 }
const ENTRY = /^(\w+)=([1-9]\d{0,8})$/

/**
 * Applies settings such as `units=500,value=250000` to the defaults; values are whole US dollars. Throws an Error that
 * names a wrong entry.
 */
export function readHoldLimits(text = ''): HoldLimits {
  const limits = { ...DEFAULTS }
  for (const entry of entriesOf(text)) {
    const [, name = '', count] = ENTRY.exec(entry) ?? []
    if (!name) throw new Error(`'${entry}' is not a limit such as units=500`)
    if (!isName(name)) throw new Error(`'${name}' is none of ${Object.keys(DEFAULTS).join(', ')}`)
    limits[name] = Number(count)
  }
  return {
    confirmed: { units: limits.units, cents: limits.value * 100 },
    unconfirmed: { units: limits.unconfirmedUnits, cents: limits.unconfirmedValue * 100 },
  }
}

function isName(name: string): name is keyof typeof DEFAULTS {
  return Object.hasOwn(DEFAULTS, name)
}
