import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '#scripts/run.mjs'
import { SHORT_LIVED } from './shop.ts'

/** Arguments of Node that run an operator's command. */
export const MARKET = [...SHORT_LIVED, join(ROOT, 'scripts/built.mjs'), 'market']

/** Runs an operator's command against the shop with this data folder. Rejects if the command fails. */
export async function market({ dataDir }: { dataDir: string }, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', PROVIDER_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, [...MARKET, ...words], { env })
  return stdout
}
