import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LONGEST_PATH = 100

/** Where the shop of a data folder listens to its operator. */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'market.sock')
  if (path.length <= LONGEST_PATH) return path
  // The system allows a socket some 100 characters.
  return join(tmpdir(), `piazza-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`)
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
