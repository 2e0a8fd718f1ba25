import type { Context } from 'hono'
import type { Env } from './env.ts'

/** Counts the request against the limit of its address (429) if the picture is known to be missing. */
export async function countMissing<Found>(c: Context<Env>, find: () => Promise<Found | null>): Promise<Found | null> {
  const limits = c.get('limits')
  const ip = c.get('ip')
  // Counted first, so that many simultaneous requests are limited, too.
  await limits.take('missingPictures', ip)
  let isMissing = false
  try {
    const found = await find()
    isMissing = found === null
    return found
  } finally {
    if (!isMissing) await limits.giveBack('missingPictures', ip)
  }
}
