import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { openAsBlob } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, Place, ToWorker } from './pglite-stream.ts'

if (!parentPort) throw new Error('pglite-worker.ts runs as a worker thread')
const port = parentPort
const say = (message: FromWorker, move: ArrayBuffer[] = []) => port.postMessage(message, move)

const { folder, snapshot } = workerData as Place
const database = await PGlite.create({
  ...(folder ? { dataDir: folder } : {}),
  ...(snapshot ? { loadDataDir: await openAsBlob(snapshot) } : {}),
  extensions: { pg_trgm },
})

port.on('message', async (message: ToWorker) => {
  if (message === 'close') {
    await database.close()
    port.close()
    return
  }
  const answer = await answerTo(message)
  say(answer, [answer.buffer])
})
say('ready')

/** The answer's bytes alone: PGlite would read each of its messages as well, and `pg` does so after it. */
async function answerTo(message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // They lie in the database's memory, which goes on.
  await database.execProtocolRawStream(message, { onRawData: bytes => parts.push(bytes.slice()) })
  const [first = new Uint8Array(0), ...others] = parts
  if (others.length === 0) return first
  const answer = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    answer.set(part, at)
    at += part.length
  }
  return answer
}
