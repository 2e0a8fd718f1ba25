import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MARKET } from '#tests/support/provider/market.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { openForOperators, typeCommand } from '#tests/support/provider/typing.ts'

const COMMAND_MS = 180_000
const { dataDir, environment: env, remove } = await makeShopData(undefined)
const shop = await openForOperators(env)
afterAll(async () => {
  await shop.close()
  await remove()
})

test('a command says that its output cannot be written, and exits with code 1', { timeout: COMMAND_MS }, async () => {
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, [...MARKET, 'export'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', full.fd, 'pipe'],
  })
  let err = ''
  child.stderr!.setEncoding('utf8').on('data', text => (err += text))

  const [code] = (await once(child, 'close')) as [number | null]

  await full.close()
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/) })
})

test('the search takes a file of synonyms of the greatest length', { timeout: 2 * COMMAND_MS }, async () => {
  const file = join(dataDir, 'synonyms.txt')
  const line = Array.from({ length: 9 }, (_, at) => `${at} horns`).join(', ')
  await writeFile(file, Array.from({ length: 5000 }, (_, at) => `${line}, ${at} tubas\r\n`).join(''))
  const out = 'The search uses 5,000 lines\n'
  expect(await typeCommand(['search', 'synonyms', file], { env })).toEqual({ code: 0, out, err: '' })

  await writeFile(file, Buffer.alloc(21e6))
  const err = 'A file of synonyms has at most 20 MB\n'
  expect(await typeCommand(['search', 'synonyms', file], { env })).toEqual({ code: 1, out: '', err })
})
