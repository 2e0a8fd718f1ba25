import { createServer } from 'node:http'
import { createAdapter } from '@socket.io/postgres-adapter'
import { Client } from 'pg'
import { Server } from 'socket.io'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSocketConnections } from '#server/db/socket-connections.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'

interface Process {
  io: Server
  close: () => Promise<void>
  listening: Promise<void>
}

test('a process counts as listening once the database has carried out its LISTEN', async () => {
  const events: string[] = []
  const connections = openSocketConnections({
    url: inject('postgresUrl')!,
    onError: error => events.push(error.message),
    onListening: () => events.push('listening'),
  })
  onTestFinished(connections.close)

  const client = await connections.pool.connect()
  await client.query('select pg_sleep(0.2); listen somewhere')
  events.push('LISTEN was answered')

  await expect.poll(() => events).toEqual(['LISTEN was answered', 'listening'])
})

test('what waits for the connection is still sent when the process closes', async () => {
  const { pool, close } = openSocketConnections({
    url: inject('postgresUrl')!,
    onError: error => expect.fail(error.message),
    onListening: () => undefined,
  })
  const first = pool.query('select pg_sleep(0.1)')
  const waiting = pool.query(`select 'sent' as answer`)

  await close()

  await first
  expect((await waiting).rows).toEqual([{ answer: 'sent' }])
})

test('events that follow each other reach other processes in order, with few commits', async () => {
  const url = await createDatabase(inject('postgresUrl')!)
  const COUNT = 200
  const numbers = Array.from({ length: COUNT }, (_, at) => at)
  const onError = (error: unknown) => expect.fail(String(error))
  const [sender, receiver] = [0, 1].map(() => {
    const listening = Promise.withResolvers<void>()
    const connections = openSocketConnections({ url, onError, onListening: () => listening.resolve() })
    const io = new Server(createServer(), { adapter: createAdapter(connections.pool, { errorHandler: onError }) })
    const close = async () => {
      await io.close()
      await connections.close()
    }
    return { io, close, listening: listening.promise }
  }) as [Process, Process]
  const received: number[] = []
  receiver.io.on('number', (number: number) => received.push(number))
  await Promise.all([sender.listening, receiver.listening])

  for (const number of numbers) {
    sender.io.serverSideEmit('number', number)
    if (number % 10 === 0) await new Promise(setImmediate)
  }
  await expect.poll(() => received.length).toBe(COUNT)
  await Promise.all([sender.close(), receiver.close()])

  expect(received).toEqual(numbers)
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const commits = 'select xact_commit::int as count from pg_stat_database where datname = current_database()'
  const { rows } = await client.query<{ count: number }>(commits)
  expect(rows[0]!.count).toBeLessThan(COUNT / 2)
})
