import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LineUnits, refundOf } from '#contract/returns.ts'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import { nextStatus } from '#server/orders/delivery-states.ts'
import { countUnits, isPartlySent, type OrderPart, type StoredParcel, unsentUnits } from '#server/orders/parts.ts'
import { leftOf } from '#server/payments/ledger.ts'
import { availableOf } from '#server/returns/available.ts'
import { ENDED_WITHOUT_REFUND, REFUNDED, type ReturnEvent, TRANSITIONS } from '#server/returns/transitions.ts'

/** The histories of `npm test`: the model is the shop's own rules without a database. */
const HISTORIES = 10_000
const INITIAL_STOCK = 50

interface ModelReturn {
  part: OrderPart
  kind: ReturnKind
  status: ReturnStatus
  isSentBack: boolean
  units: LineUnits
}

/** An order with the shop's own functions for statuses, what is available, and sums; without a database. */
class Model {
  parts: OrderPart[]
  returns: ModelReturn[] = []
  stock = new Map<string, number>()
  priceCents: number
  /** Refunds that were requested. */
  goneCents = 0
  /** What the operator has refunded by amount. */
  byHandCents = 0
  isRefunded = false

  constructor(shops: { lines: { quantity: number; unitCents: number; shippingCents: number }[]; keeps: boolean }[]) {
    this.parts = shops.map(({ lines, keeps }, at) => partOf(`${at}`, lines, !keeps))
    this.priceCents = sum(this.parts.map(priceOf))
    for (const { id, quantity } of this.lines()) this.stock.set(id, INITIAL_STOCK - quantity)
  }

  lines() {
    return this.parts.flatMap(({ lines }) => lines)
  }

  pack(part: OrderPart): void {
    if (part.deliveryStatus === 'Processing') part.packedAt = new Date()
  }

  send(part: OrderPart, most: number): void {
    if (part.deliveryStatus !== 'Processing') return
    const units = new Map([...unsentUnits(part)].map(([id, quantity]) => [id, Math.min(quantity, most)]))
    if (units.size === 0) return
    part.parcels.push({ status: 'sent', units } as StoredParcel)
    part.deliveryStatus = nextStatus('Processing', 'send', countUnits(part))
  }

  arrive(part: OrderPart): void {
    const parcel = part.parcels.find(({ status }) => status !== 'arrived')
    if (!parcel) return
    parcel.status = 'arrived'
    part.deliveryStatus = nextStatus(part.deliveryStatus, 'arrive', countUnits(part))
  }

  ask(part: OrderPart, kind: ReturnKind, most: number): void {
    if (this.isRefunded) return
    const available = availableOf(part, { ...this.takenByKind(part), deliveredAt: new Date() })
    if (available?.kind !== kind) return
    const units = new Map(available.lines.map(({ lineId, quantity }) => [lineId, Math.min(quantity, most)]))
    const entry: ModelReturn = { part, kind, status: 'requested', isSentBack: false, units }
    this.returns.push(entry)
    if (available.isImmediate) this.enter(entry, 'received', true)
  }

  move(entry: ModelReturn | undefined, event: ReturnEvent, isRestocked: boolean): void {
    const status = entry && TRANSITIONS[entry.kind][event][entry.status]
    if (!status) return
    const { part, kind } = entry
    if (event === 'allow' && entry.isSentBack) return
    if (event === 'sendBack') entry.isSentBack = true
    const unsent = unsentUnits(part)
    const isLate = [...entry.units].some(([lineId, quantity]) => quantity > (unsent.get(lineId) ?? 0))
    if (kind === 'cancellation' && status === 'received' && isLate) return
    this.enter(entry, status, isRestocked || kind === 'cancellation')
  }

  /** The operator refunds an amount, or all. */
  refund(cents: number): void {
    if (this.isRefunded) return
    this.byHandCents += this.request(cents)
  }

  refundAll(): void {
    if (this.isRefunded) return
    for (const part of this.parts.filter(each => each.deliveryStatus === 'Processing')) this.cancelUnsent(part)
    this.endRefunded()
  }

  private enter(entry: ModelReturn, status: ReturnStatus, isRestocked: boolean): void {
    const { part, kind, units } = entry
    if (status === 'received') {
      const isShippingRefunded = kind === 'cancellation' || part.refundsShipping
      const paidCents = isShippingRefunded ? sum(part.lines.map(line => line.shippingCents)) : 0
      const gone = this.unitsOf(part, REFUNDED)
      const { itemsCents, shippingCents } = refundOf(part.lines, units, { refunded: gone, shippingCents: paidCents })
      entry.status = status
      if (isRestocked) this.restock(part, units)
      if (kind === 'cancellation' && unsentUnits(part).size === 0)
        part.deliveryStatus = nextStatus('Processing', 'cancel', countUnits(part))
      this.request(itemsCents + shippingCents)
    }
    entry.status = status
  }

  private request(wantedCents: number): number {
    const money = { chargedCents: this.priceCents, refundedCents: this.goneCents, pendingCents: 0 }
    const cents = this.isRefunded ? 0 : Math.min(wantedCents, leftOf(money))
    this.goneCents += cents
    if (this.goneCents === this.priceCents) this.endRefunded()
    return cents
  }

  private endRefunded(): void {
    this.isRefunded = true
    this.goneCents = this.priceCents
    for (const entry of this.returns) entry.status = TRANSITIONS[entry.kind].close[entry.status] ?? entry.status
  }

  private cancelUnsent(part: OrderPart): void {
    const isPart = isPartlySent(part)
    this.restock(part, unsentUnits(part))
    part.deliveryStatus = isPart ? nextStatus('Processing', 'cancel', countUnits(part)) : 'Cancelled'
  }

  private restock(part: OrderPart, units: LineUnits): void {
    for (const line of part.lines) {
      const quantity = units.get(line.id) ?? 0
      line.restocked += quantity
      this.stock.set(line.id, this.stock.get(line.id)! + quantity)
    }
  }

  /** Units that are part of a cancellation or return. */
  taken(part: OrderPart, kind?: ReturnKind): Map<string, number> {
    const holding = this.returns.map(({ status }) => status).filter(status => !ENDED_WITHOUT_REFUND.includes(status))
    return this.unitsOf(part, holding, kind)
  }

  private takenByKind(part: OrderPart) {
    return {
      cancelled: this.taken(part, 'cancellation'),
      returned: this.taken(part, 'return'),
      refunded: this.unitsOf(part, REFUNDED),
    }
  }

  private unitsOf(part: OrderPart, statuses: ReturnStatus[], kind?: ReturnKind): Map<string, number> {
    const counted = this.returns.filter(
      entry => entry.part === part && statuses.includes(entry.status) && (kind ?? entry.kind) === entry.kind,
    )
    return new Map(part.lines.map(({ id }) => [id, sum(counted.map(({ units }) => units.get(id) ?? 0))]))
  }

  /** What adds up after each step; returns what does not. */
  faults(): string[] {
    const faults: string[] = []
    if (this.goneCents > this.priceCents) faults.push('more refunded than paid')
    for (const part of this.parts)
      for (const { id, quantity, restocked } of part.lines) {
        const sent = sum(part.parcels.map(({ units }) => units.get(id) ?? 0))
        if ((this.taken(part).get(id) ?? 0) > quantity) faults.push(`more of ${id} returned than ordered`)
        if (restocked > quantity || sent > quantity) faults.push(`more of ${id} restocked or sent than ordered`)
        if (this.stock.get(id)! + quantity - restocked !== INITIAL_STOCK) faults.push(`units of ${id} are lost`)
      }
    return faults
  }

  /** The refunds by a formula of its own: each unit that went back, and each shipping of a part that went back. */
  expectedCents(): number {
    if (this.isRefunded) return this.priceCents
    const back = this.parts.map(part => {
      const gone = this.unitsOf(part, REFUNDED)
      const kinds = this.returns.filter(entry => entry.part === part && REFUNDED.includes(entry.status))
      const isAll = part.lines.every(({ id, quantity }) => gone.get(id) === quantity)
      const keeps = !part.refundsShipping && kinds.some(({ kind }) => kind === 'return')
      const units = sum(part.lines.map(({ id, unitCents }) => unitCents * (gone.get(id) ?? 0)))
      return isAll && !keeps ? units + sum(part.lines.map(({ shippingCents }) => shippingCents)) : units
    })
    return sum(back) + this.byHandCents
  }
}

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  unitCents: fc.integer({ min: 1, max: 99_999 }),
  shippingCents: fc.integer({ min: 0, max: 2500 }),
})
const shops = fc.array(fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 3 }), keeps: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
})
const EVENTS = Object.keys(TRANSITIONS.return).filter(event => event !== 'close') as ReturnEvent[]
const quantity = fc.integer({ min: 1, max: 4 })
const at = fc.nat(5)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('pack', 'send', 'arrive'), at, quantity }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('cancellation', 'return'), at, quantity }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom(...EVENTS), at, quantity }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('amount', 'all'), at, quantity }) },
)

test(`in ${HISTORIES} random histories of parcels, cancellations and returns, money and stock add up`, () => {
  const reached = { statuses: new Set<string>(), refundedCount: 0 }
  fc.assert(
    fc.property(shops, fc.array(step, { minLength: 8, maxLength: 60 }), (bought, steps) => {
      const model = new Model(bought)
      for (const { kind, at, quantity } of steps) {
        const part = model.parts[at % model.parts.length]!
        if (kind === 'pack') model.pack(part)
        else if (kind === 'send') model.send(part, quantity)
        else if (kind === 'arrive') model.arrive(part)
        else if (kind === 'amount') model.refund(quantity * 333)
        else if (kind === 'all') model.refundAll()
        else if (kind === 'cancellation' || kind === 'return') model.ask(part, kind, quantity)
        else {
          const newest = model.returns.at(-1 - (at % Math.max(1, model.returns.length)))
          model.move(newest, kind, quantity > 2)
        }
        // Without `expect`, whose calls after each of so many steps would take most of the time.
        const faults = model.faults()
        if (faults.length > 0) throw new Error(faults.join(', '))
      }
      expect(model.goneCents).toBe(model.expectedCents())
      for (const { kind, status } of model.returns) reached.statuses.add(`${kind} ${status}`)
      if (model.isRefunded) reached.refundedCount += 1
    }),
    { numRuns: HISTORIES },
  )
  // Histories that reach nothing would prove nothing.
  expect(reached.statuses.size).toBeGreaterThan(15)
  expect(reached.refundedCount).toBeGreaterThan(HISTORIES / 20)
})

function partOf(
  id: string,
  lines: { quantity: number; unitCents: number; shippingCents: number }[],
  refundsShipping: boolean,
): OrderPart {
  const own = lines.map((each, position) => ({ id: `${id}-${position}`, snapshot: null, restocked: 0, ...each }))
  const state = { deliveryStatus: 'Processing', packedAt: null, refundsShipping, parcels: [] }
  return { id, shopName: 'Clay', ...state, lines: own } as unknown as OrderPart
}

function priceOf({ lines }: OrderPart): number {
  return sum(lines.map(({ quantity, unitCents, shippingCents }) => quantity * unitCents + shippingCents))
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
