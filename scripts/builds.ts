import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

interface Stamp {
  /** A hash of what was built. */
  sources: string
  /** ISO 8601. */
  builtAt: string
}

const STAMP = '.built'
/** A shop that runs meanwhile loads parts of its build when they are needed. */
const KEPT = 2

/**
 * Builds of the storefront. `dist` is a link to the newest good one, each in a folder of its own beside it: a build that
 * fails touches nothing that is served, and one that is good takes its place at once.
 */
export function openBuilds(dist: string) {
  const folder = join(dirname(dist), `.${basename(dist)}`)
  const stampOf = (build: string): Stamp | null => {
    try {
      return JSON.parse(readFileSync(join(build, STAMP), 'utf8')) as Stamp
    } catch {
      // Not whole, or of a version that wrote another stamp.
      return null
    }
  }

  /** An older version of Piazza built where the link is now. */
  function moveOldFolder(): void {
    if (!lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) return
    if (readdirSync(dist).length > 0 && !existsSync(join(dist, STAMP)))
      throw new Error(`${dist} holds something else than a build: choose another DIST_DIR`)
    renameSync(dist, join(folder, `before-${Date.now()}`))
  }

  function removeOld(): void {
    const newest = basename(readlinkSync(dist))
    const others = readdirSync(folder).filter(name => name !== newest)
    const stamps = others.map(name => ({ name, builtAt: stampOf(join(folder, name))?.builtAt ?? '' }))
    const old = stamps.toSorted((a, b) => b.builtAt.localeCompare(a.builtAt)).slice(KEPT - 1)
    for (const { name } of old) rmSync(join(folder, name), { recursive: true, force: true })
  }

  return {
    isBuiltFrom: (sources: string): boolean => stampOf(dist)?.sources === sources,

    /** When the build that is served was made, as ISO 8601; null where there is none. */
    servedSince(): string | null {
      return existsSync(join(dist, 'server/entry.mjs')) ? (stampOf(dist)?.builtAt ?? 'an earlier version') : null
    },

    /** A new folder to build into. Throws where none can be made. */
    begin(sources: string): string {
      const build = join(folder, `${sources.slice(0, 12)}-${Date.now()}`)
      mkdirSync(build, { recursive: true })
      return build
    },

    /** Puts a good build in the place of the one before, which is kept. */
    publish(build: string, sources: string): void {
      const stamp: Stamp = { sources, builtAt: new Date().toISOString() }
      writeFileSync(join(build, STAMP), JSON.stringify(stamp))
      moveOldFolder()
      const link = `${dist}.new`
      rmSync(link, { force: true })
      symlinkSync(relative(dirname(dist), build), link, 'dir')
      renameSync(link, dist)
      removeOld()
    },

    discard: (build: string): void => rmSync(build, { recursive: true, force: true }),
  }
}
