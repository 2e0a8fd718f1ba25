import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readKeyFiles } from '#server/platform/key-files.ts'
import { type Keys, type Secrets, secretsOf } from '#server/platform/secrets.ts'

/** Puts a key into a new data folder. The shop takes it over at its first start, and tests can sign with it. */
export async function plantKey(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'secrets'), { recursive: true })
  const key = `${randomBytes(32).toString('hex')}\n`
  await writeFile(join(dataDir, 'secrets/current.key'), key, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** The keys of a shop whose data folder has a planted one. */
export async function plantedKeys(dataDir: string): Promise<Secrets> {
  const keys = await readKeyFiles(join(dataDir, 'secrets'))
  return secretsOf(...(keys.map(key => Buffer.from(key, 'hex')) as [Buffer, ...Buffer[]] satisfies Keys))
}
