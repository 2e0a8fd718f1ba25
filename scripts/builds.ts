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
  /** The built sources, with their sizes and times. */
  sources: string
  /** ISO 8601. */
  builtAt: string
}

/** Policy pages are published separately from the build. */
export const CONTENT = 'src/content/'
/** A change of one of these publishes the policy pages again. */
export const CONTENT_SOURCES = [CONTENT, 'src/pages', 'public', 'server/content', 'contract', 'package-lock.json']

const STAMP = '.built'
/** The number of builds to keep: a running shop loads parts of its build later. */
const KEPT = 2
/** Of older builds, files that pages load stay (3 MB): pages may be open for days (server/http/static.ts). */
const KEPT_FOR_PAGES = 10
const UNUSED_BY_PAGES = ['server', 'shop']

/**
 * Manages the shop's builds. Each has its own folder, and `dist` is a symlink to the newest good one: a failed
 * build does not affect the served one, and a good one replaces it atomically.
 */
export function openBuilds(dist: string) {
  const folder = join(dirname(dist), `.${basename(dist)}`)
  const stampOf = (build: string): Stamp | null => {
    try {
      return JSON.parse(readFileSync(join(build, STAMP), 'utf8')) as Stamp
    } catch {
      // Incomplete, or of a version with another stamp format.
      return null
    }
  }

  /** Moves a `dist` folder away, which older versions of Piazza built in place of the link. */
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
    const paths = stamps.toSorted((a, b) => b.builtAt.localeCompare(a.builtAt)).map(({ name }) => join(folder, name))
    const unused = paths.slice(KEPT - 1).flatMap(path => UNUSED_BY_PAGES.map(part => join(path, part)))
    for (const path of [...unused, ...paths.slice(KEPT_FOR_PAGES - 1)]) rmSync(path, { recursive: true, force: true })
  }

  return {
    isBuiltFrom: (sources: string): boolean => stampOf(dist)?.sources === sources,

    /** When the served build was made, as ISO 8601, or 'an earlier version'; null without a build. */
    servedSince(): string | null {
      return existsSync(join(dist, 'shop/shop.mjs')) ? (stampOf(dist)?.builtAt ?? 'an earlier version') : null
    },

    /** Creates a new folder to build into. Throws if that fails. */
    begin(): string {
      const build = join(folder, String(Date.now()))
      mkdirSync(build, { recursive: true })
      return build
    },

    /** Replaces the served build by a good one; keeps the previous one, and of older ones what open pages load. */
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
