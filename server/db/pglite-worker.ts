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
  say(await database.execProtocolRaw(message))
})
say('ready')
