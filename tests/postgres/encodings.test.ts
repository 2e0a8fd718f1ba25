import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { typeCommand } from '#tests/support/provider/typing.ts'

/** Creates a database in the cluster with these options and returns its URL. */
async function createIn(name: string, options: string): Promise<string> {
  const cluster = inject('postgresUrl')!
  const server = new Client(cluster)
  await server.connect()
  await server.query(`create database ${name} ${options} template template0`)
  await server.end()
  return Object.assign(new URL(cluster), { pathname: `/${name}` }).href
}

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database with the encoding %s is rejected before anything is created in it',
  async encoding => {
    const url = await createIn(`in_${encoding.toLowerCase()}`, `encoding '${encoding}' locale 'C'`)

    await expect(openDatabase({ url })).rejects.toThrow(`its encoding is ${encoding}`)

    const database = new Client(url)
    await database.connect()
    const { rows } = await database.query(`select nspname from pg_namespace where nspname = 'drizzle'`)
    await database.end()
    expect(rows).toEqual([])
  },
)

test('the doctor reports a database whose locale does not know Ü as a letter', async () => {
  const { environment, remove } = await makeShopData(inject('postgresUrl')!)
  const doctor = (env: object) => typeCommand(['doctor'], { env: { ...environment, ...env } })
  const url = await createIn('with_few_letters', `encoding 'UTF8' locale 'C'`)

  expect((await doctor({})).out).not.toContain('locale')
  expect((await doctor({ DATABASE_URL: url })).out).toContain(
    'PROBLEM The database’s locale does not know letters such as Ü',
  )
  await remove()
})
