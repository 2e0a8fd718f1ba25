import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { isTransient } from '#server/db/errors.ts'
import type { Db } from '#server/db/types.ts'
import { users } from '#server/db/schema.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import { type Api, ApiError } from '#lib/api.ts'

/** Fewer than the pool's connections: a busy machine may not handle a thousand customers within five seconds. */
const AT_ONCE = 8

/** Adds many customers with confirmed addresses. */
export async function addCustomers(db: Db, count: number): Promise<{ id: string; name: string; email: string }[]> {
  const rows = Array.from({ length: count }, () => ({
    name: 'Ada Customer',
    email: `${randomUUID()}@customers.test`,
    passwordHash: '',
    emailConfirmedAt: new Date(),
  }))
  return db.insert(users).values(rows).returning({ id: users.id, name: users.name, email: users.email })
}

interface Provider {
  db: Db
  sessions: Sessions
  apiOf(token: string): Api
}

/** Adds many customers, each with a signed-in client. */
export async function crowd({ db, sessions, apiOf }: Provider, count: number): Promise<{ id: string; api: Api }[]> {
  const customers = await addCustomers(db, count)
  const inTurn = pLimit(AT_ONCE)
  return Promise.all(
    customers.map(async customer => {
      const { token } = await inTurn(() => sessions.start(customer))
      return { id: customer.id, api: apiOf(token) }
    }),
  )
}

/** Retries `work` after a 503, as a customer would: on a busy machine some requests wait too long. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) && !(error instanceof ApiError && error.status === 503)) throw error
      await sleep(500)
    }
}
