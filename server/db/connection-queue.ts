import type { Pool, PoolClient } from 'pg'
import { DatabaseBusyError } from './errors.ts'

const MAX_WAIT_MS = 5000
const MAX_QUEUE_LENGTH = 1000

/**
 * Takes a connection from the pool. Throws a `DatabaseBusyError` when none is free within five seconds, or at once when
 * a thousand others wait. The pool's own timeout would also stop an embedded database that takes longer to open.
 */
export async function takeConnection(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= MAX_QUEUE_LENGTH) throw new DatabaseBusyError()
  const connecting = pool.connect()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseBusyError())
      connecting.then(client => client.release(), ignore)
    }, MAX_WAIT_MS)
  })
  try {
    return await Promise.race([connecting, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

// The caller already has a `DatabaseBusyError`.
function ignore(): void {}
