import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside what belongs to the same versions of Node and of the packages. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/piazza-compiled', import.meta.url))
/** Its package.json has 180 kB, and Node reads through it for each of its files: half of all loading. */
const LARGE = /\/node_modules\/drizzle-orm\/[^?]*\.js$/

/** Loads in less than half of the time what is imported from here on: compiled at the last start, and found at once. */
export function quickenLoading(): void {
  // Where the folder cannot be written, each start compiles anew.
  enableCompileCache(COMPILED)
  // For the database's thread.
  process.env.NODE_COMPILE_CACHE = COMPILED
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context
      if (!parentURL || !specifier.startsWith('.') || !LARGE.test(parentURL)) return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
