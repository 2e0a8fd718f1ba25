import { readFileSync, unwatchFile, watchFile } from 'node:fs'
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
 * The policy pages, their pictures and the introductions of categories as last published. Watches the file, so that
 * every process on this machine notices new pages, whichever data folder it uses.
 */
export function openContent({ distDir, headers, log, onChange }: Options) {
  const { folder, list } = contentPaths(distDir)
  let published = readPublished(list)
  let serve = createStatic({ folder, headers })

  function readAgain(): void {
    try {
      published = readPublished(list)
      serve = createStatic({ folder, headers })
      onChange()
      log.info({ pages: published.policies.length }, 'new policy pages were published')
    } catch (error) {
      log.error({ err: error }, 'the policy pages stay as they were: the new ones cannot be read')
    }
  }

  watchFile(list, { interval: LOOK_MS, persistent: false }, readAgain)
  return {
    published: () => published,
    serve: (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => serve(req, res, otherwise),
    close: () => unwatchFile(list, readAgain),
  }
}

function readPublished(list: string): z.output<typeof Published> {
  return Published.parse(JSON.parse(readFileSync(list, 'utf8')))
}
