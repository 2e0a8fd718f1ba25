import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAMES = ['current.key', 'previous.key']

/**
 * The keys of a folder in which earlier versions kept them, as 64 hexadecimal digits each, the one that signs first.
 * Throws if a file holds anything else, so that nothing is signed with a weaker key.
 */
export async function readKeyFiles(folder: string): Promise<string[]> {
  const found = await Promise.all(NAMES.map(name => readKey(join(folder, name))))
  return found.filter(key => key !== null)
}

async function readKey(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null && !/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(`${path} is not a key: it must hold 64 hexadecimal digits`)
  return text?.trim() ?? null
}
