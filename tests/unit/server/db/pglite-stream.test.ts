import { EventEmitter, once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { PGliteStream } from '#server/db/pglite-stream.ts'

const { workers } = vi.hoisted(() => ({ workers: [] as EventEmitter[] }))
vi.mock('node:worker_threads', () => ({
  Worker: class extends EventEmitter {
    constructor() {
      super()
      workers.push(this)
    }
    terminate() {}
  },
}))

test('a message from node’s watch mode on the worker’s port is ignored', async () => {
  const stream = new PGliteStream({}, { statementMs: 1000 }).connect()
  const connected = once(stream, 'connect')
  const [worker] = workers

  worker?.emit('message', { 'watch:import': ['file:///shop/server/db/pglite-worker.ts'] })
  worker?.emit('message', 'ready')
  await connected
  worker?.emit('message', Uint8Array.from([90, 0, 0, 0, 5, 73]))

  const [said] = (await once(stream, 'data')) as [Buffer]
  expect([...said]).toEqual([90, 0, 0, 0, 5, 73])
  stream.destroy()
})
