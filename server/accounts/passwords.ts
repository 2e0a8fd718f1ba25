import { randomBytes } from 'node:crypto'
import { InvalidInputError, UnavailableError } from '../platform/errors.ts'
import { openBoundedQueue, QueueFullError } from '../platform/bounded-queue.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface Passwords {
  /** Hashes a new password (argon2id in PHC form). Throws an `InvalidInputError` for a common password. */
  hash(password: string, signal?: AbortSignal): Promise<string>
  /**
   * Checks a password against the stored hash. Without a hash the password is wrong, after the same amount of work.
   * `renewed` is a new hash to store if the cost parameters have changed since the old one.
   */
  check(
    password: string,
    stored: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ isRight: boolean; renewed?: string }>
}

export const TOO_EASY = 'This password is too easy to guess'

interface Options {
  memoryKib?: number
  passes?: number
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
/** Each hash takes 19 MiB and a core. When the queue is full, further requests are rejected with a 503. */
const AT_ONCE = 4
const QUEUE_LENGTH = 50
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Loaded on first use. */
const argon2 = () => import('@node-rs/argon2')

/**
 * Hashes up to four passwords at a time. Throws an `UnavailableError` if too many wait, `AbandonedError` if aborted.
 */
export function openPasswords({ memoryKib = MEMORY_KIB, passes = PASSES }: Options = {}): Passwords {
  const queue = openBoundedQueue({ atOnce: AT_ONCE, maxWaiting: QUEUE_LENGTH })
  const cost = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }
  const nobodys = noPassword(memoryKib, passes)

  async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    try {
      return await queue(work, signal)
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      throw new UnavailableError('Too many people are signing in, try again in a moment')
    }
  }

  async function isOtherCost(stored: string): Promise<boolean> {
    const { parseOptions } = await argon2()
    const { memoryCost, timeCost } = parseOptions(stored)
    return memoryCost !== memoryKib || timeCost !== passes
  }

  return {
    async hash(password, signal) {
      if (isCommonPassword(password)) throw new InvalidInputError(TOO_EASY)
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

/** A hash that no password matches and that costs as much to check as a real one. */
function noPassword(memoryKib: number, passes: number): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${random(SALT_BYTES)}$${random(HASH_BYTES)}`
}
