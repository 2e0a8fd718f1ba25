import { expect } from 'playwright/test'
import { writtenLetters } from './mail-folder.ts'

/** Links to `path` in emails to an address, oldest first, without origin. Works for shops without a mail server. */
async function linksTo(shop: { dataDir: string }, email: string, path: string): Promise<string[]> {
  const letters = (await writtenLetters(shop)).map(letter => letter.replaceAll('=3D', '='))
  return letters
    .filter(letter => letter.includes(`To: ${email}`))
    .flatMap(letter => letter.match(new RegExp(`${path}\\?[\\w=-]+`))?.[0] ?? [])
}

/** The newest link to `path` in the emails to an address, once there are exactly `count` of them. */
export async function linkMailedTo(shop: { dataDir: string }, email: string, path: string, count = 1): Promise<string> {
  await expect.poll(async () => (await linksTo(shop, email, path)).length, { timeout: 30_000 }).toBe(count)
  return (await linksTo(shop, email, path)).at(-1) ?? ''
}
