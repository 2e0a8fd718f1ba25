import { readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import * as z from 'zod'
import { Introduction, Policy } from '#contract/policies.ts'
import type { RawHeaders } from '../http/headers.ts'
import { createStatic } from '../http/static.ts'
import { contentPaths } from './paths.ts'

interface Options {
  distDir: string
  headers: RawHeaders
  log: Pick<Logger, 'info' | 'error'>
  /** Called when new pages have been published. */
  onChange(): void
}

const LOOK_MS = 1000
/** An earlier version published no introductions. */
const Published = z.object({ policies: z.array(Policy), introductions: z.array(Introduction).default([]) })

/**
 * The policy pages, their pictures and the introductions of categories as last published. Looks at the file, so that
 * every process on this machine notices new pages, whichever data folder it uses.
 */
export function openContent({ distDir, headers, log, onChange }: Options) {
  const { folder, list } = contentPaths(distDir)
  let shown = load()
  let failedVersion = ''

  function load() {
    // Before reading: pages that are published meanwhile are another version, which the next look finds.
    const version = versionOf(list)
    return { version, published: readPublished(list), serve: createStatic({ folder, headers }) }
  }

  function look(): void {
    const version = versionOf(list)
    if (version === shown.version) return
    try {
      shown = load()
      onChange()
      log.info({ pages: shown.published.policies.length }, 'new policy pages were published')
    } catch (error) {
      // Each look tries again, because the reason may pass.
      if (version !== failedVersion)
        log.error({ err: error }, 'the policy pages stay as they were: the new ones cannot be read')
      failedVersion = version
    }
  }

  const timer = setInterval(look, LOOK_MS).unref()
  return {
    published: () => shown.published,
    serve: (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => shown.serve(req, res, otherwise),
    close: () => clearInterval(timer),
  }
}

/** Differs after each publish: a file that replaces another has another inode. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    return (error as Error).message
  }
}

function readPublished(list: string): z.output<typeof Published> {
  return Published.parse(JSON.parse(readFileSync(list, 'utf8')))
}
