import { extname } from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'

export type ToWorker = Uint8Array | 'close'
export type FromWorker = Uint8Array | 'ready'

export interface Place {
  /** Without a folder, the database is in memory. */
  folder?: string | undefined
  /** Path of a dump by PGlite's `dumpDataDir`, loaded into a database in memory. */
  snapshot?: string | undefined
}

interface Limits {
  /** A statement that runs longer than this is ended with its worker: PGlite ignores statement_timeout. */
  readonly statementMs: number
}

/**
 * The worker needs 15 MB, and V8 starts to collect garbage at half of the limit. The flag `--max-old-space-size` would
 * override this limit, so `npm start` does not set it.
 */
const HEAP_MB = 96

/**
 * The 'socket' between `pg` and PGlite in a worker thread. It carries PostgreSQL's wire protocol, so that one driver
 * serves both databases. Connecting opens the database, ending closes it. A statement that hangs destroys only its
 * connection; the pool opens the next one.
 */
export class PGliteStream extends Duplex {
  #place: Place
  #limits: Limits
  #worker: Worker | undefined
  #exited: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #watchdog: NodeJS.Timeout | undefined

  /** `limits` may change while the stream is open. */
  constructor(place: Place, limits: Limits) {
    super()
    this.#place = place
    this.#limits = limits
  }

  connect(): this {
    const worker = new Worker(new URL(`./pglite-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#place,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    this.#worker = worker
    this.#exited = new Promise(resolve => worker.once('exit', resolve))
    worker.on('message', (message: unknown) => this.#receive(message))
    worker.on('error', error => this.destroy(error))
    worker.once('exit', () => this.destroy())
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    this.#worker?.ref()
    return this
  }

  unref(): this {
    this.#worker?.unref()
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#say(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#say(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#worker?.postMessage('close' satisfies ToWorker)
    void this.#exited.then(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#watchdog)
    void Promise.resolve(this.#worker?.terminate()).then(() => done(error))
  }

  #receive(message: unknown): void {
    if (message === ('ready' satisfies FromWorker)) {
      this.emit('connect')
      return
    }
    // Under `node --watch` a worker also reports which files it reads.
    if (!(message instanceof Uint8Array)) return
    this.#waiting -= 1
    this.#watch()
    this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
  }

  #say(bytes: Buffer): void {
    this.#waiting += 1
    if (this.#waiting === 1) this.#watch()
    // Copied, because posting the Buffer would also copy the memory that it shares with other Buffers.
    const own = new Uint8Array(bytes)
    this.#worker?.postMessage(own satisfies ToWorker, [own.buffer])
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    if (this.#waiting === 0) return
    const { statementMs } = this.#limits
    this.#watchdog = setTimeout(
      () => this.destroy(new Error(`The database took longer than ${statementMs} ms and was restarted`)),
      statementMs,
    )
    this.#watchdog.unref()
  }
}
