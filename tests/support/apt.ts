import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MINUTES = 60_000
/** Makes apt-get fail quickly without a network. */
const IMPATIENT = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10']

/** Installs Debian packages if possible: as root, on Debian. Returns whether it succeeded. */
export function installFromDebian(packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !isDebian()) return false
  console.log(`Installing ${packages.join(' ')} with apt-get …`)
  return apt(['update']) && apt(['install', '--yes', '--no-install-recommends', ...packages])
}

/** The result of `find`; if there is none, installs Debian packages and tries again. Throws `advice` if that fails. */
export function findOrInstall<Found>(find: () => Found | undefined, packages: string[], advice: string): Found {
  const found = find() ?? (installFromDebian(packages) ? find() : undefined)
  if (found === undefined) throw new Error(advice)
  return found
}

/** The first of these commands that exits with 0 when it is run with `argument`. */
export function firstThatRuns(commands: string[], argument = '--version'): string | undefined {
  return commands.find(command => spawnSync(command, [argument]).status === 0)
}

function apt(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return (
    spawnSync('apt-get', ['-qq', ...IMPATIENT, ...args], { stdio: 'inherit', env, timeout: 5 * MINUTES }).status === 0
  )
}

function isDebian(): boolean {
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    // No such file: not Linux.
    return false
  }
}
