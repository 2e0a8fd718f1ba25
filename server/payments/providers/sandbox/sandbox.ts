import { eq, sql } from 'drizzle-orm'
import type { PaidWith } from '#contract/parcels.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db, Tx } from '#server/db/types.ts'
import { sandboxPayments } from '#server/db/schema.ts'
import { ConflictError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Keys } from '#server/platform/secrets.ts'
import type { PaymentProvider, ProviderPayment } from '../payment-provider.ts'
import { forged, readJson, sign, verify } from '../signature.ts'
import { type Method, type Outcome, outcomeOf } from './numbers.ts'

type Stored = typeof sandboxPayments.$inferSelect
type Status = Stored['status']

/** Path below `/api` of the sandbox's script and frame. */
export const SANDBOX_PATH = '/payment/sandbox'
export const SIGNATURE_HEADER = 'sandbox-signature'
/** How long a `later` outcome takes. */
const LATER_SECONDS = 5
const ONLY_TEST_NUMBERS = 'This is a sandbox: it takes its test numbers only'

export interface Sandbox extends PaymentProvider {
  /** Amount and status of a payment; undefined for an unknown reference. */
  read(reference: string): Promise<{ amountCents: number; currency: string; status: Status } | undefined>
  /**
   * Pays with a test number and returns the new status. Throws a `NotFoundError` for an unknown payment, and a
   * `ConflictError` for an unknown number or a payment that is paid or processing.
   */
  pay(reference: string, method: Method, number: string): Promise<Status>
  /** The signed webhook that reports a payment's status to the shop. */
  webhook(reference: string): Promise<{ body: Uint8Array<ArrayBuffer>; signature: string }>
}

interface Options {
  db: Db
  jobs: Pick<Jobs, 'transact'>
  currentKeys: () => Keys
}

const selectPayment = (db: Db) =>
  db
    .select()
    .from(sandboxPayments)
    .where(eq(sandboxPayments.reference, sql.placeholder('reference')))
const storedPayment = prepared(db => selectPayment(db).prepare('sandbox_payment'))
const lockedPayment = prepared(db => selectPayment(db).for('update').prepare('locked_sandbox_payment'))

/** Plays a payment provider, so that a shop can be tried without a real one: no money moves. */
export function openSandbox({ db, jobs, currentKeys }: Options): Sandbox {
  async function findPayment(reference: string, lockingTx?: Tx): Promise<Stored | undefined> {
    const statement = lockingTx ? lockedPayment(lockingTx) : storedPayment(db)
    const [payment] = await statement.execute({ reference })
    return payment && { ...payment, status: statusOf(payment) }
  }

  return {
    name: 'sandbox',
    checkoutOptions: () => ({ publicKey: 'sandbox', scriptUrl: `/api${SANDBOX_PATH}/checkout.js`, movesMoney: false }),
    async createPayment({ reference, amountCents, currency }) {
      await db.insert(sandboxPayments).values({ reference, amountCents, currency }).onConflictDoNothing()
      return {}
    },
    async readPayment({ reference }) {
      const payment = await findPayment(reference)
      return payment && payment.status !== 'open' ? toProviderPayment(payment, payment.status) : null
    },
    async refund({ reference, upToCents }) {
      const { refundedCents, amountCents, refundedAt } = sandboxPayments
      const isAll = sql`${amountCents} <= ${upToCents}`
      await db
        .update(sandboxPayments)
        .set({
          refundedCents: sql`greatest(${refundedCents}, ${upToCents})`,
          refundedAt: sql`coalesce(${refundedAt}, case when ${isAll} then now() end)`,
        })
        .where(eq(sandboxPayments.reference, reference))
      return 'refunded'
    },
    async readCharge({ reference, amountCents }) {
      const returnedCents = Math.min((await findPayment(reference))?.refundedCents ?? 0, amountCents)
      return {
        status: returnedCents === amountCents ? 'returned' : 'kept',
        returnedCents,
        lostCents: 0,
        failedCents: 0,
      }
    },
    readWebhook(headers, body) {
      verify(headers.get(SIGNATURE_HEADER), body, currentKeys())
      return readEvent(body)
    },
    read: reference => findPayment(reference),
    async pay(reference, method, number) {
      const outcome = outcomeOf(method, number)
      if (!outcome) throw new InvalidInputError(ONLY_TEST_NUMBERS, { number: ONLY_TEST_NUMBERS })
      // Before the transaction, whose start counts for the later job: by then the payment must be settled.
      const next = nextOf(outcome)
      return jobs.transact(db, async (tx, sendJob) => {
        const payment = await findPayment(reference, tx)
        if (!payment) throw new NotFoundError('There is no such payment')
        if (payment.status === 'succeeded') throw new ConflictError('This is paid already')
        if (payment.status === 'processing') throw new ConflictError('This payment is on its way')
        await tx
          .update(sandboxPayments)
          .set({ ...next, paidWith: paidWithOf(method, number), tries: payment.tries + 1 })
          .where(eq(sandboxPayments.reference, reference))
        await sendJob('sandboxWebhook', { reference })
        if (next.settlesAt) await sendJob('sandboxWebhook', { reference }, LATER_SECONDS)
        return next.status
      })
    },
    async webhook(reference) {
      const payment = await findPayment(reference)
      const eventId = `${reference}:${payment?.tries}:${payment?.status}`
      const body = new TextEncoder().encode(JSON.stringify({ eventId, reference }))
      return { body, signature: sign(body, currentKeys()[0]) }
    },
  }
}

/** A processing payment counts as settled once `settlesAt` has passed; its row is not updated. */
function statusOf({ status, turnsInto, settlesAt }: Stored): Status {
  return status === 'processing' && settlesAt && settlesAt <= new Date() ? (turnsInto ?? status) : status
}

function nextOf(outcome: Outcome): Pick<Stored, 'status' | 'turnsInto' | 'settlesAt'> {
  if (outcome === 'succeeds') return { status: 'succeeded', turnsInto: null, settlesAt: null }
  if (outcome === 'declined') return { status: 'failed', turnsInto: null, settlesAt: null }
  const turnsInto = outcome === 'succeeds later' ? 'succeeded' : 'failed'
  return { status: 'processing', turnsInto, settlesAt: new Date(Date.now() + LATER_SECONDS * 1000) }
}

function toProviderPayment(
  { reference, amountCents, currency, paidWith }: Stored,
  status: ProviderPayment['status'],
): ProviderPayment {
  return {
    status,
    reference,
    amountCents,
    currency,
    providerId: `sandbox-${reference}`,
    paidWith: paidWith ?? undefined,
  }
}

function paidWithOf(method: Method, number: string): PaidWith {
  if (method === 'card') return { kind: 'card', ending: number.replaceAll(/\D/g, '').slice(-4) }
  return { kind: method === 'mobilemoney' ? 'mobile_money' : 'bank' }
}

function readEvent(body: Uint8Array): { eventId: string; reference: string } {
  const { eventId, reference } = readJson(body) as Record<string, unknown>
  if (typeof eventId !== 'string' || typeof reference !== 'string') throw forged()
  return { eventId, reference }
}
