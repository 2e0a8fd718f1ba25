import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import * as z from 'zod'
import { Policy } from '#contract/policies.ts'
import type { RawHeaders } from '../http/headers.ts'
import { createStatic } from '../http/static.ts'
import { placesOf } from './places.ts'

interface Options {
  distDir: string
  headers: RawHeaders
  log: Pick<Logger, 'info' | 'error'>
  /** Called when new pages have been published. */
  onChange(): void
}

const LOOK_MS = 1000
const Published = z.object({ policies: z.array(Policy) })

/**
 * The last published policy pages and their pictures. Watches the file, so that every process on this machine notices
 * new pages, whichever data folder it uses.
 */
export function openContent({ distDir, headers, log, onChange }: Options) {
  const { folder, list } = placesOf(distDir)
  let policies = readPolicies(list)
  let serve = createStatic({ folder, headers })

  function look(): void {
    try {
      policies = readPolicies(list)
      serve = createStatic({ folder, headers })
      onChange()
      log.info({ pages: policies.length }, 'new policy pages were published')
    } catch (error) {
      log.error({ err: error }, 'the policy pages stay as they were: the new ones cannot be read')
    }
  }

  watchFile(list, { interval: LOOK_MS, persistent: false }, look)
  return {
    policies: () => policies,
    serve: (req: IncomingMessage, res: ServerResponse, otherwise: () => void) => serve(req, res, otherwise),
    close: () => unwatchFile(list, look),
  }
}

function readPolicies(list: string): Policy[] {
  return Published.parse(JSON.parse(readFileSync(list, 'utf8'))).policies
}
