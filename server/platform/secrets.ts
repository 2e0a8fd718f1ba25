import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The shop's signing keys. The first key signs; signatures of the second one, which was the first until the operator
 * rotated the keys, are still valid.
 */
export interface Secrets {
  /** 256-bit keys derived for one purpose (HKDF-SHA-256), the current one first. */
  keysFor(purpose: string): [current: Uint8Array, ...previous: Uint8Array[]]
}

const KEY_BYTES = 32
const CURRENT = 'current.key'
const PREVIOUS = 'previous.key'

/**
 * Reads the keys in `folder`; creates a current one if it is missing, readable for this account only. Throws if a file
 * is not 64 hexadecimal digits, so that nothing is signed with a weaker key.
 */
export async function openSecrets(folder: string): Promise<Secrets> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const current = (await readKey(folder, CURRENT)) ?? (await makeKey(folder))
  return secretsOf(current, await readKey(folder, PREVIOUS))
}

/** Derives keys from the current master key and, if given, the previous one. */
export function secretsOf(current: Uint8Array, previous: Uint8Array | null = null): Secrets {
  const derive = (key: Uint8Array, purpose: string) => new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES))
  return {
    keysFor: purpose => [derive(current, purpose), ...(previous ? [derive(previous, purpose)] : [])],
  }
}

async function readKey(folder: string, name: string): Promise<Uint8Array | null> {
  const path = join(folder, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw new Error(`${path} is not a key: it must hold 64 hexadecimal digits`)
  return Buffer.from(text.trim(), 'hex')
}

/** Linking is atomic: if several processes start at once, all use the key of the first. */
async function makeKey(folder: string): Promise<Uint8Array> {
  const path = join(folder, CURRENT)
  const file = `${path}.${randomUUID()}.new`
  await writeFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    await link(file, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(file, { force: true })
  }
  const key = await readKey(folder, CURRENT)
  if (!key) throw new Error(`${path} has gone while it was made`)
  return key
}
