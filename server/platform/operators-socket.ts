import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_PATH_LENGTH = 100

/** The path of the socket on which the shop of a data folder listens for operators' commands. */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'market.sock')
  if (path.length <= MAX_PATH_LENGTH) return path
  // Operating systems limit a socket's path to about 100 characters.
  return join(tmpdir(), `piazza-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`)
}

/** Whether a process listens on this socket. False for a socket of another user, unless this process is root. */
export async function isListening(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  const me = process.getuid?.() ?? 0
  // Another user may have placed a socket there.
  if (!found || (me !== 0 && found.uid !== me)) return false
  return new Promise(resolve => {
    const socket = connect(path)
    const finish = (isFound: boolean) => {
      socket.destroy()
      resolve(isFound)
    }
    // All other errors, such as a full queue, mean that a process listens.
    const isUnused = ({ code = '' }: NodeJS.ErrnoException) => ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)
    socket.once('connect', () => finish(true)).once('error', error => finish(!isUnused(error)))
  })
}
