import { randomBytes } from 'node:crypto'
import { Refusal } from '../http/errors.ts'
import { openBoundedQueue, QueueFullError } from '../platform/bounded-queue.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface Passwords {
  /** A new password's hash, argon2id in PHC form. Refuses one that everybody tries first (422). */
  hash(password: string, signal?: AbortSignal): Promise<string>
  /**
   * Whether the password is right; without a stored hash it is not, after the same work. `renewed` is what to store
   * when the cost has changed since.
   */
  check(
    password: string,
    stored: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ isRight: boolean; renewed?: string }>
}

interface Options {
  memoryKib?: number
  passes?: number
}

/** OWASP's smallest argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
/** Each takes its memory and a core; whoever waits longer than the queue is told to come back. */
const AT_ONCE = 4
const QUEUE_LENGTH = 50
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

/** Hashes passwords, a few at a time. Throws a 503 refusal when too many wait, `AbandonedError` for an aborted signal. */
export function openPasswords({ memoryKib = MEMORY_KIB, passes = PASSES }: Options = {}): Passwords {
  const queue = openBoundedQueue({ atOnce: AT_ONCE, mostWaiting: QUEUE_LENGTH })
  const cost = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }
  const nobodys = noPassword(memoryKib, passes)

  async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    try {
      return await queue(work, signal)
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      throw new Refusal(503, 'Too many people are signing in, try again in a moment')
    }
  }

  async function isOtherCost(stored: string): Promise<boolean> {
    const { parseOptions } = await argon2()
    const { memoryCost, timeCost } = parseOptions(stored)
    return memoryCost !== memoryKib || timeCost !== passes
  }

  return {
    async hash(password, signal) {
      if (isCommonPassword(password)) throw new Refusal(422, 'This password is too easy to guess')
      const { hash } = await argon2()
      return inTurn(() => hash(password, cost), signal)
    },

    async check(password, stored, signal) {
      const { hash, verify } = await argon2()
      const isRight = await inTurn(() => verify(stored ?? nobodys, password), signal)
      if (!isRight || !stored || !(await isOtherCost(stored))) return { isRight: isRight && stored !== undefined }
      return { isRight, renewed: await inTurn(() => hash(password, cost), signal) }
    },
  }
}

/** A hash that belongs to no password and costs as much to check as a real one. */
function noPassword(memoryKib: number, passes: number): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${random(SALT_BYTES)}$${random(HASH_BYTES)}`
}
