import { startDemoShop } from '../provider/demo-shop.ts'
import { makeSnapshot } from '../provider/snapshot.ts'
import { startToyShop } from '../provider/toy-shop.ts'

/**
 * Runs once before the browser tests: starts the demo shop and the toy shop. With BASE_URL it starts neither, and tests
 * that need their own shop are skipped.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.BASE_URL) return async () => undefined
  const snapshot = await makeSnapshot()
  process.env.SNAPSHOT = snapshot.file
  const [shop, stopToyShop] = await Promise.all([startDemoShop(snapshot.file), startToyShop()])
  process.env.BASE_URL = shop.url
  return async () => {
    await Promise.all([shop.stop(), stopToyShop()])
    snapshot.remove()
  }
}
