import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(css|html|ico|js|json|map|mjs|svg|txt|wasm|webmanifest|xml)$/
const WORTH_BYTES = 300
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
const GZIP = { level: constants.Z_BEST_COMPRESSION }

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Writes `.br` and `.gz` files beside compressible files over 300 bytes, if that saves bytes. Returns their number. */
export async function compressFolder(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter(name => COMPRESSIBLE.test(name)).map(name => join(folder, name))
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  const worthIt = files.filter((_, index) => (sizes[index] ?? 0) > WORTH_BYTES)
  await Promise.all(worthIt.map(compressFile))
  return worthIt.length
}

async function compressFile(file: string): Promise<void> {
  const plain = await readFile(file)
  const [br, gz] = await Promise.all([brotliAsync(plain, BROTLI), gzipAsync(plain, GZIP)])
  if (br.length < plain.length) await writeFile(`${file}.br`, br)
  if (gz.length < plain.length) await writeFile(`${file}.gz`, gz)
}
