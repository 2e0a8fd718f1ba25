import type { Context } from 'hono'
import type { Env } from './env.ts'
import type { GivenBack } from './limit-rules.ts'

/**
 * Counts an amount against the limits of an account and of its address, or against neither (429). Returns a function
 * that gives both back.
 */
export async function takeBoth(
  c: Context<Env>,
  [own, perIp]: [own: GivenBack, perIp: GivenBack],
  userId: string,
  amount: number,
): Promise<() => Promise<void>> {
  const limits = c.get('limits')
  const ip = c.get('ip')
  await limits.take(own, userId, amount)
  await limits.take(perIp, ip, amount).catch(async (error: unknown) => {
    await limits.giveBack(own, userId, amount)
    throw error
  })
  return async () => {
    await limits.giveBack(own, userId, amount)
    await limits.giveBack(perIp, ip, amount)
  }
}
