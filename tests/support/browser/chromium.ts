import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { ROOT } from '#scripts/run.mjs'
import { installFromDebian } from '../apt.ts'

/** What Playwright itself drives without a window: it needs less than half of the processor time of a whole browser. */
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)
const ANSWER_MS = 20_000
const DOWNLOAD_MS = 60_000

/** Without these a Chromium in a container does not start, or asks the network for things of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The path of a Chromium that starts: CHROMIUM_PATH, one that is installed, or Playwright's own; null without any. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return given
    throw new Error(`CHROMIUM_PATH is ${given}, and there is no such file. Example: CHROMIUM_PATH=/usr/bin/chromium`)
  }
  return firstThatStarts(NAMES)
}

/** The path of a Chromium that can do what one with a window can; null where there is only the quick one. */
export function findWholeChromium(): string | null {
  return firstThatStarts(NAMES.filter(name => name !== SHELL))
}

function firstThatStarts(names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...installed, ...MAC, chromium.executablePath()].find(path => existsSync(path) && answers(path)) ?? null
}

/**
 * As findChromium, but installs one when there is none, and on Debian as root the quick one when there is a slow one;
 * throws an Error that says what to do when there is none after that.
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

/** Ubuntu's `chromium-browser` may be a stub that only tells to install a snap. */
function answers(path: string): boolean {
  return spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: ANSWER_MS }).status === 0
}
