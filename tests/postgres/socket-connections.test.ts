import { expect, inject, onTestFinished, test } from 'vitest'
import { openSocketConnections } from '#server/db/socket-connections.ts'

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
