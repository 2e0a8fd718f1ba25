import { startShop } from './shop.ts'
import { makeSnapshot } from './snapshot.ts'

/** Runs once, before the browser tests: without a BASE_URL they get a shop of their own; small shops begin with a snapshot. */
export default async function setup(): Promise<() => Promise<void>> {
  const snapshot = await makeSnapshot()
  process.env.SNAPSHOT = snapshot.file
  const shop = process.env.BASE_URL ? null : await startShop()
  if (shop) process.env.BASE_URL = shop.url
  return async () => {
    await shop?.stop()
    snapshot.remove()
  }
}
