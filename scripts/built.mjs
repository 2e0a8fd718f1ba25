import { accessSync, constants, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @type {Record<string, string>} */
const SOURCES = { shop: '../server/main.ts', market: '../server/operators/cli/main.ts' }

// Runs a program of the build, `shop` or `market`; without a build, runs it from its sources.
const [name = ''] = process.argv.splice(2, 1)
if (!existsSync(join(import.meta.dirname, '../node_modules'))) {
  console.error('Run npm ci && npm run build first')
  process.exit(1)
}
if (existsSync('.env'))
  try {
    // Node reports a file that this account may not read as missing.
    accessSync('.env', constants.R_OK)
    process.loadEnvFile('.env')
  } catch (error) {
    console.error(`.env cannot be read by this account: ${/** @type {Error} */ (error).message}`)
    process.exit(1)
  }
const built = resolve(process.env.DIST_DIR || 'dist', 'shop', `${name}.mjs`)
await import(existsSync(built) ? pathToFileURL(built).href : (SOURCES[name] ?? ''))
