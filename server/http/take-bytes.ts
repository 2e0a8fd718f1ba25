import type { Context } from 'hono'
import type { Env } from './env.ts'
import type { GivenBack } from './limit-rules.ts'

/**
 * Counts bytes against the limits of an account and of its address, or against neither (429). Returns a function that
 * gives both back.
 */
export async function takeBytes(
  c: Context<Env>,
  [own, perIp]: [own: GivenBack, perIp: GivenBack],
  userId: string,
  bytes: number,
): Promise<() => Promise<void>> {
  const limits = c.get('limits')
  const ip = c.get('ip')
  await limits.take(own, userId, bytes)
  await limits.take(perIp, ip, bytes).catch(async (error: unknown) => {
    await limits.giveBack(own, userId, bytes)
    throw error
  })
  return async () => {
    await limits.giveBack(own, userId, bytes)
    await limits.giveBack(perIp, ip, bytes)
  }
}
