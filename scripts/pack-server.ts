import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { findPacked, nameOf, placesIn } from '#server/platform/packed.ts'
import { ROOT } from './run.mjs'

const ENTRIES = { serve: 'server/serve.ts', 'pglite-worker': 'server/db/pglite-worker.ts' }
/** Not bundled: packages that look for files beside their own, and optional ones of `pg` and `ws`. */
const LEFT = [/^sharp$/, /^@node-rs\/argon2$/, /^@electric-sql\/pglite/, 'pg-native', 'bufferutil', 'utf-8-validate']
const { folder, list, lastGood } = placesIn(ROOT)
const OWN = /^(contract|server)\//
const ALSO = ['package.json', 'package-lock.json', 'scripts/pack-server.ts']
/** The number of old packed servers to keep: a running shop loads parts of its own later. */
const KEPT = 2

/** The server's sources cannot be bundled; the message says where. */
export class BrokenServerError extends Error {}

/**
 * Bundles the server into a few files, unless it is bundled already, and returns the bundle's name. Throws
 * `BrokenServerError` if bundling fails.
 */
export async function packServer(): Promise<string> {
  const packed = findPacked()
  if (packed) return basename(dirname(packed))
  const chunks = await bundleServer()
  const sources = chunks.flatMap(({ moduleIds }) => moduleIds.map(id => relative(ROOT, id)))
  const files = [...sources.filter(file => OWN.test(file)), ...ALSO].toSorted()
  const name = nameOf(ROOT, files)
  await mkdir(join(folder, name), { recursive: true })
  for (const { fileName, code } of chunks) await writeFile(join(folder, name, fileName), code)
  await writeFile(`${list}.new`, JSON.stringify({ files, name }))
  await rename(`${list}.new`, list)
  await removeOld([name, readLastGood()])
  return name
}

/** Records a packed server as that of the last good build, which runs if a newer build fails. */
export function keepAsLastGood(name: string): void {
  if (readLastGood() === name) return
  try {
    writeFileSync(`${lastGood}.new`, name)
    renameSync(`${lastGood}.new`, lastGood)
  } catch {
    // In a read-only project nothing is built, so no build can fail either.
  }
}

function readLastGood(): string {
  return existsSync(lastGood) ? readFileSync(lastGood, 'utf8') : ''
}

async function bundleServer() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: LEFT,
    plugins: [whereSourcesLie()],
    logLevel: 'silent',
  })
  try {
    const { output } = await bundle.generate({ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
    return output.filter(file => file.type === 'chunk')
  } catch (error) {
    throw new BrokenServerError((error as Error).message, { cause: error })
  } finally {
    await bundle.close()
  }
}

/** Keeps URLs of migrations, demo pictures and the sandbox's page at the sources; the worker is bundled. */
function whereSourcesLie(): Plugin {
  return {
    name: 'where-sources-lie',
    transform: {
      filter: { id: /\/server\/.*\.ts$/, code: 'import.meta.url' },
      handler: (code, id) =>
        basename(id).startsWith('pglite-')
          ? code.replace('./pglite-worker.ts', './pglite-worker.mjs')
          : code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
    },
  }
}

async function removeOld(needed: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const folders = entries
    .filter(entry => entry.isDirectory() && !needed.includes(entry.name))
    .map(({ name }) => join(folder, name))
  const dated = await Promise.all(folders.map(async path => ({ path, madeMs: (await stat(path)).mtimeMs })))
  const old = dated.toSorted((one, other) => other.madeMs - one.madeMs).slice(KEPT)
  for (const { path } of old) await rm(path, { recursive: true, force: true })
}
