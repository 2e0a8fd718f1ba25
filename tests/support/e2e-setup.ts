import { startShop } from './shop.ts'
import { makeSnapshot } from './snapshot.ts'
import { startToyShop } from './toy-shop.ts'

/**
 * Runs once, before the browser tests: without a BASE_URL they get a shop of their own. The toy shop is theirs in any
 * case; small shops begin with a snapshot.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const demo = process.env.BASE_URL ? null : startShop()
  const snapshot = await makeSnapshot()
  process.env.SNAPSHOT = snapshot.file
  const [shop, stopToyShop] = await Promise.all([demo, startToyShop()])
  if (shop) process.env.BASE_URL = shop.url
  return async () => {
    await Promise.all([shop?.stop(), stopToyShop()])
    snapshot.remove()
  }
}
