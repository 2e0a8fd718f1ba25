import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'

/** Links to `path` in emails to an address, oldest first, without origin. Works for shops without a mail server. */
async function linksTo({ dataDir }: { dataDir: string }, email: string, path: string): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const links: string[] = []
  for (const name of names.filter(each => /^[^.].*\.eml$/.test(each)).toSorted()) {
    const letter = (await readFile(join(folder, name), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const found = letter.includes(`To: ${email}`) ? letter.match(new RegExp(`${path}\\?[\\w=-]+`)) : null
    if (found) links.push(found[0])
  }
  return links
}

/** The newest link to `path` in the emails to an address, once there are exactly `count` of them. */
export async function linkMailedTo(shop: { dataDir: string }, email: string, path: string, count = 1): Promise<string> {
  await expect.poll(async () => (await linksTo(shop, email, path)).length, { timeout: 30_000 }).toBe(count)
  return (await linksTo(shop, email, path)).at(-1) ?? ''
}
