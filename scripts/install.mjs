import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { NODE, ROOT, run } from './run.mjs'
import { inTurn } from './turn.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?:
 * boolean }} Package
 */

/**
 * Runs `npm ci` if node_modules does not match package-lock.json. If that fails, throws an Error that says what to do.
 * @param {{ development: boolean }} options whether the packages for tests and tools are needed
 */
export async function ensureInstalled({ development }) {
  await inTurn('install', async () => {
    if (isInstalled(development)) return
    console.log('Installing the dependencies with npm ci (about a minute) …')
    const code = await npmCi(development)
    if (code !== 0) throw new Error(`npm ci failed (exit code ${code}). Its message above says why; then try again.`)
    if (existsSync(NODE)) return
    throw new Error('npm ci did not install Node 24, because install scripts are off. Run: npm rebuild node esbuild')
  })
}

/** @param {boolean} development */
function isInstalled(development) {
  const present = packages('node_modules/.package-lock.json')
  const wanted = packages('package-lock.json')
  if (!present || !wanted || !existsSync(NODE)) return false
  return Object.entries(wanted).every(([path, { version, integrity, link, dev, optional, devOptional }]) => {
    const found = present[path]
    if (found) return found.version === version && found.integrity === integrity
    return path === '' || link || optional || devOptional || (dev && !development)
  })
}

/**
 * @param {string} file
 * @returns {Record<string, Package> | null}
 */
function packages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages
  } catch {
    // Missing or incomplete: counts as not installed.
    return null
  }
}

/** @param {boolean} development */
function npmCi(development) {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(development ? ['--include=dev'] : [])]
  // npm replaces node_modules, so it must not run with the Node binary in that folder.
  const outside = (process.env.PATH ?? '').split(delimiter).filter(path => !path.startsWith(ROOT))
  const env = { ...process.env, PATH: outside.join(delimiter) }
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  return npm && node && !node.startsWith(ROOT) ? run(node, [npm, ...args], { env }) : run('npm', args, { env })
}
