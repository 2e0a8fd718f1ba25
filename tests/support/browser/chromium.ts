import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { ROOT } from '#scripts/run.mjs'
import { installFromDebian } from '../apt.ts'

/** Playwright's own headless build. It needs less than half of a full browser's processor time. */
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)
const ANSWER_MS = 20_000
const DOWNLOAD_MS = 60_000

/** Without these, Chromium does not start in a container, or sends network requests of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The path of a working Chromium: CHROMIUM_PATH, an installed one or Playwright's own. Null if there is none. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return given
    throw new Error(`CHROMIUM_PATH is ${given}, and there is no such file. Example: CHROMIUM_PATH=/usr/bin/chromium`)
  }
  return firstThatStarts(NAMES)
}

/** The path of a full Chromium, one that can open windows. Null if there is only the headless shell. */
export function findWholeChromium(): string | null {
  return firstThatStarts(NAMES.filter(name => name !== SHELL))
}

function firstThatStarts(names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...installed, ...MAC, chromium.executablePath()].find(path => existsSync(path) && answers(path)) ?? null
}

/**
 * Like findChromium, but installs a Chromium if there is none; as root on Debian, also the faster headless shell.
 * Throws an Error with instructions if that fails.
 */
export function findOrInstallChromium(): string {
  const found = findChromium()
  if (found && (process.env.CHROMIUM_PATH || found.endsWith(SHELL))) return found
  const path = installFromDebian([SHELL, 'fonts-liberation']) ? findChromium() : (found ?? install())
  if (path) return path
  throw new Error(
    'No Chromium was found and none could be installed. Install one and set CHROMIUM_PATH to its program.',
  )
}

function install(): string | null {
  console.log('Installing a Chromium with playwright …')
  const playwright = join(ROOT, 'node_modules/playwright/cli.js')
  spawnSync(process.execPath, [playwright, 'install', 'chromium'], { stdio: 'inherit', timeout: DOWNLOAD_MS })
  return findChromium()
}

/** Ubuntu's `chromium-browser` may be a stub that only asks the user to install a snap. */
function answers(path: string): boolean {
  return spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: ANSWER_MS }).status === 0
}
