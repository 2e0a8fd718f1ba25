import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { once } from 'node:events'
import { existsSync, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { FromWorker, Place, ToWorker } from './pglite-stream.ts'

/** Makes the thread create a database in this folder and then end. */
interface Making {
  newFolder?: string
}

type Parser = { _raw_parser: (text: number, mode: number) => number }

/**
 * The default is 128 MB, which is initialised at each start. Searching 100,000 products is as fast with 64 MB, not with
 * 32.
 */
const BUFFERS = ['-c', 'shared_buffers=64MB']

class Embedded extends PGlite {
  /**
   * PGlite calls this before any statement, to prepare parsing results; here pg parses them. Instead, this compiles
   * PostgreSQL's parser without optimisation: V8 takes a second and 600 MB to optimise its one function of 100 kB, and
   * gains nothing.
   */
  override async _initArrayTypes(): Promise<void> {
    const Module = this.Module as typeof this.Module & Parser
    const stack = Module.stackSave()
    setTierUp(false)
    Module._raw_parser(Module.stringToUTF8OnStack(''), 0)
    setTierUp(true)
    Module.stackRestore(stack)
  }
}

const { folder, snapshot, newFolder } = workerData as Place & Making
if (newFolder) {
  const database = await PGlite.create({ dataDir: newFolder })
  await database.close()
} else {
  // An existing folder may be a mount point, which cannot be replaced: then PGlite creates the database in place.
  if (folder && !existsSync(folder)) await createDatabase(folder)
  await serveDatabase()
}

async function serveDatabase(): Promise<void> {
  if (!parentPort) throw new Error('pglite-worker.ts runs as a worker thread')
  const port = parentPort
  const say = (message: FromWorker, move: ArrayBuffer[] = []) => port.postMessage(message, move)

  const database = new Embedded({
    ...(folder ? { dataDir: folder } : {}),
    ...(snapshot ? { loadDataDir: await openAsBlob(snapshot) } : {}),
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, ...BUFFERS],
  })
  await database.waitReady
  port.on('message', async (message: ToWorker) => {
    if (message === 'close') {
      await database.close()
      port.close()
      return
    }
    const answer = await answerTo(database, message)
    say(answer, [answer.buffer])
  })
  say('ready')
}

/** Returns the raw bytes of the response: PGlite would also parse its messages, which `pg` does. */
async function answerTo(database: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // Copied, because the database reuses its memory.
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

/** Creates the database in another thread, whose memory is freed when it ends. The folder appears atomically. */
async function createDatabase(folder: string): Promise<void> {
  const newFolder = `${folder}.new`
  await rm(newFolder, { recursive: true, force: true })
  setTierUp(false)
  try {
    await once(new Worker(new URL(import.meta.url), { workerData: { newFolder } satisfies Making }), 'exit')
  } finally {
    setTierUp(true)
  }
  await rename(newFolder, folder)
}

/** Whether V8 may later optimise WebAssembly functions that are first called, and so compiled, from now on. */
function setTierUp(isAllowed: boolean): void {
  // Only the function with this index is optimised: 0 is an import, so none is.
  setFlagsFromString(`--wasm-tier-up-filter=${isAllowed ? -1 : 0}`)
}
