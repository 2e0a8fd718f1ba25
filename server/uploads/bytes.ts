import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** Whether a file starts with these bytes. */
export async function beginsWith(path: string, bytes: number[]): Promise<boolean> {
  const file = await open(path)
  try {
    const start = Buffer.alloc(bytes.length)
    await file.read(start, 0, start.length, 0)
    return start.equals(Buffer.from(bytes))
  } finally {
    await file.close()
  }
}

/** Whether a file contains these bytes. */
export async function holds(path: string, bytes: Buffer): Promise<boolean> {
  let end = Buffer.alloc(0)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const part = Buffer.concat([end, chunk])
    if (part.includes(bytes)) return true
    end = part.subarray(Math.max(part.length - bytes.length + 1, 0))
  }
  return false
}

/** Whether a file is UTF-8 text without NUL. */
export async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (chunk.includes(0)) return false
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false
    throw error
  }
}
