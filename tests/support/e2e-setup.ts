import { startShop } from './shop.ts'

/** Runs once, before the browser tests: without a BASE_URL they get a shop of their own. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.BASE_URL) return undefined
  const shop = await startShop()
  process.env.BASE_URL = shop.url
  return async () => {
    await shop.stop()
  }
}
