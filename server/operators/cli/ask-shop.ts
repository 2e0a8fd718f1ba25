import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { linesOf } from '../../platform/lines.ts'
import type { Order } from './order.ts'

/** What comes back: text for the operator's two streams, then the exit code. */
export type Frame = { out: string } | { err: string } | { code: number }

/** The operator's side: what is typed or read, and where the answers go. */
export interface Streams {
  input: Readable
  out(text: string): Promise<void>
  err(text: string): Promise<void>
  isWatched: boolean
  signal: AbortSignal
}

const LONGEST_PATH = 100
const SHOP_ENDED = 'The shop ended before the command did'

/** Where the shop of a data folder listens to its operator. */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'market.sock')
  if (path.length <= LONGEST_PATH) return path
  // The system allows a socket some 100 characters.
  return join(tmpdir(), `piazza-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`)
}

/** Has the running shop carry an order out; null when none runs. */
export async function askShop(dataDir: string, order: Order, streams: Streams): Promise<number | null> {
  const path = socketPath(dataDir)
  if (!(await answers(path))) return null
  const headers = { 'x-order': encodeURIComponent(JSON.stringify({ order, isWatched: streams.isWatched })) }
  const question = request({ socketPath: path, path: '/', method: 'POST', headers, signal: streams.signal })
  streams.input.on('error', error => question.destroy(error)).pipe(question)
  try {
    const [answer] = (await once(question, 'response')) as [IncomingMessage]
    // The shop may answer before it has read the whole file.
    question.on('error', () => undefined)
    for await (const line of linesOf(answer)) {
      const frame = JSON.parse(line) as Frame
      if ('code' in frame) return frame.code
      await ('out' in frame ? streams.out(frame.out) : streams.err(frame.err))
    }
    throw new Error(SHOP_ENDED)
  } catch (error) {
    throw isCutOff(error) ? new Error(SHOP_ENDED, { cause: error }) : error
  } finally {
    streams.input.unpipe(question)
    question.destroy()
  }
}

function isCutOff(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Whether a process listens on a socket of this account. */
export async function answers(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  const me = process.getuid?.() ?? 0
  // A socket that someone else has put there is not the shop's.
  if (!found || (me !== 0 && found.uid !== me)) return false
  return new Promise(resolve => {
    const socket = connect(path)
    const say = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    // Another error, such as that of a full queue, comes from a process that listens.
    const isNobody = ({ code = '' }: NodeJS.ErrnoException) => ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)
    socket.once('connect', () => say(true)).once('error', error => say(!isNobody(error)))
  })
}
