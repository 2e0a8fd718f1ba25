import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'

test.each(['LATIN1', 'SQL_ASCII'])('a database in %s is refused before anything is in it', async encoding => {
  const cluster = inject('postgresUrl')!
  const url = Object.assign(new URL(cluster), { pathname: `/in_${encoding.toLowerCase()}` }).href
  const server = new Client(cluster)
  await server.connect()
  await server.query(`create database in_${encoding} encoding '${encoding}' locale 'C' template template0`)
  await server.end()

  await expect(openDatabase({ url })).rejects.toThrow(`its encoding is ${encoding}`)

  const database = new Client(url)
  await database.connect()
  const { rows } = await database.query(`select nspname from pg_namespace where nspname = 'drizzle'`)
  await database.end()
  expect(rows).toEqual([])
})
