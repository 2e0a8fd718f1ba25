import { startDemoShop } from './demo-shop.ts'
import { makeSnapshot } from './snapshot.ts'
import { startToyShop } from './toy-shop.ts'

/**
 * Runs once, before the browser tests: without a BASE_URL they get a shop of their own. The toy shop is theirs in any
 * case; all of these shops begin with a snapshot.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const snapshot = await makeSnapshot()
  process.env.SNAPSHOT = snapshot.file
  const demo = process.env.BASE_URL ? null : startDemoShop(snapshot.file)
  const [shop, stopToyShop] = await Promise.all([demo, startToyShop()])
  if (shop) process.env.BASE_URL = shop.url
  return async () => {
    await Promise.all([shop?.stop(), stopToyShop()])
    snapshot.remove()
  }
}
