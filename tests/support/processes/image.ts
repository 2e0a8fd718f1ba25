import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { ROOT } from '#scripts/run.mjs'
import { findOrInstall, firstThatRuns } from '../apt.ts'

const BASE = 'docker.io/library/node:24-bookworm-slim'
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt'
const AT = { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2, cwd: ROOT } as const
const exec = promisify(execFile)

/**
 * Builds `deploy/Dockerfile` with buildah, which needs no daemon, but root. The base is not the official image, which
 * may be out of reach, but Debian by debootstrap with the Node of this project and the npm and the certificates of
 * this machine.
 */
export async function buildImage() {
  for (const program of ['buildah', 'debootstrap'])
    findOrInstall(
      () => firstThatRuns([program]),
      [program],
      `Install ${program} and run this as root: an image is built without a daemon`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'piazza-image-'))
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const buildah = async (...args: string[]) => (await exec('buildah', [...store, ...args], AT)).stdout.trim()

  const base = join(folder, 'base')
  await exec('debootstrap', ['--variant=minbase', 'bookworm', base, 'http://deb.debian.org/debian'], AT)
  furnish(base)
  await exec('chroot', [base, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node'])
  const baseContainer = await buildah('from', 'scratch')
  await buildah('copy', '--quiet', baseContainer, base, '/')
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${TRUSTED}`, baseContainer)
  await buildah('commit', '--quiet', '--rm', baseContainer, BASE)
  rmSync(base, { recursive: true })

  const dockerfile = join(ROOT, 'deploy/Dockerfile')
  // Only Docker's format keeps the health check.
  await buildah(
    'bud',
    '--isolation',
    'chroot',
    '--pull-never',
    '--format',
    'docker',
    '-f',
    dockerfile,
    '-t',
    'piazza',
    '.',
  )
  const container = await buildah('from', '--pull-never', 'piazza')
  const { config } = (JSON.parse(await buildah('inspect', container)) as { Docker: { config: ImageConfig } }).Docker

  return {
    /** The command that the image runs, and the one that tells whether it is healthy. */
    command: config.Cmd,
    healthCheck: config.Healthcheck.Test.slice(1),
    /** Runs a command in the container, as the image's user. */
    run(command: string[], env: Record<string, string> = {}) {
      const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      const child = spawn('buildah', [
        ...store,
        'run',
        '--isolation',
        'chroot',
        ...settings,
        container,
        '--',
        ...command,
      ])
      const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
      return ended.then(([[code], output, errors]) => ({ code: code as number | null, output, errors }))
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface ImageConfig {
  Cmd: string[]
  Healthcheck: { Test: string[] }
}

/** What the official image has beside Debian. */
function furnish(base: string): void {
  const local = join(base, 'usr/local')
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
  cpSync(realpathSync(process.execPath), join(local, 'bin/node'))
  const npm = process.env.npm_execpath
  if (!npm) throw new Error('Start this with npm or npx: the image gets the npm that runs here.')
  cpSync(dirname(dirname(npm)), join(local, 'lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  mkdirSync(join(base, dirname(TRUSTED)), { recursive: true })
  cpSync(TRUSTED, join(base, TRUSTED), { dereference: true })
}
