import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { once } from 'node:events'
import { existsSync, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { FromWorker, Place, ToWorker } from './pglite-stream.ts'

/** For a thread that only makes a database in this folder, and ends. */
interface Making {
  newFolder?: string
}

type Parser = { _raw_parser: (text: number, mode: number) => number }

/** Its default of 128 MB is written over at each start. 100,000 products are searched as quickly with half, not with a quarter. */
const BUFFERS = ['-c', 'shared_buffers=64MB']

class Embedded extends PGlite {
  /**
   * Called before any statement, for results that PGlite reads by itself: ours are read by pg.
   * PostgreSQL's parser is one function of 100 kB. V8 takes a second and 600 MB to optimise it and gains nothing.
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
  // In a folder that is there, which may be a disk of its own, it is made where it is.
  if (folder && !existsSync(folder)) await make(folder)
  await open()
}

async function open(): Promise<void> {
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

/** The answer's bytes alone: PGlite would read each of its messages as well, and `pg` does so after it. */
async function answerTo(database: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
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

/** In a thread of its own, as code that is compiled without being optimised ends with it; the folder appears as a whole. */
async function make(folder: string): Promise<void> {
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

/** Whether WebAssembly that is called for the first time from now on may be optimised later: it is when it is compiled. */
function setTierUp(isAllowed: boolean): void {
  // Function 0 is an import.
  setFlagsFromString(`--wasm-tier-up-filter=${isAllowed ? -1 : 0}`)
}
