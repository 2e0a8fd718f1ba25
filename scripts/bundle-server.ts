import { cpSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { ROOT } from './run.mjs'

const ENTRIES = {
  shop: 'server/main.ts',
  market: 'server/operators/cli/main.ts',
  'pglite-worker': 'server/db/pglite-worker.ts',
}
/** Files that the server reads from the folders of its modules. */
const FILES = [
  'server/db/migrations',
  'server/operators/demo/content',
  'server/operators/demo/pictures',
  'server/payments/providers/sandbox/checkout.js',
  'server/payments/providers/sandbox/modal.css',
  'server/payments/providers/sandbox/modal.js',
]
/** Packages that load files of their own. They are not bundled and stay in node_modules. */
const INSTALLED = /^(sharp|satteri|@node-rs\/argon2|@electric-sql\/pglite(\/.*)?)$/
/** Optional parts of `pg` and `ws`. */
const ABSENT = ['pg-native', 'bufferutil', 'utf-8-validate']

/** Bundles the server into `folder`: the shop, the operator's commands and the database's thread. */
export async function bundleServer(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: [INSTALLED, ...ABSENT],
    logLevel: 'silent',
  })
  try {
    await bundle.write({
      dir: folder,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // The build's folder may be outside the project, where Node would not find the packages.
      paths: id => (INSTALLED.test(id) ? relative(folder, fileURLToPath(import.meta.resolve(id))) : id),
    })
  } finally {
    await bundle.close()
  }
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, basename(file)), { recursive: true })
}
