import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, inject, test } from 'vitest'
import { sendMessage } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { openDatabase } from '#server/db/database.ts'
import { openSigningKeys } from '#server/platform/signing-keys.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { openConnection, requestText } from '#tests/support/faults/raw-connection.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { freePort } from '#tests/support/ports.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'
import { connect } from '#tests/support/provider/sockets.ts'

const url = await createDatabase(inject('postgresUrl')!)
const database = await openDatabase({ url })
const folder = await mkdtemp(join(tmpdir(), 'piazza-ending-'))
const start = async (name: string) =>
  startShopProcess(
    {
      DATABASE_URL: url,
      DATABASE_LISTEN_URL: '',
      DATA_DIR: join(folder, name),
      PROVIDER_URL: '',
      PUBLIC_URL: '',
      DEMO: 'off',
      // Gives requests under way more time than this test needs on a busy machine.
      DRAIN_SECONDS: '1',
    },
    await freePort(),
  )
const [ending, other] = [await start('ending'), await start('other')]
afterAll(async () => {
  await Promise.all([ending.kill(), other.kill()])
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const seller = await addSeller(database.db)
const secrets = await openSigningKeys({ database, folder, log: pino({ level: 'silent' }) })
const sellerToken = (await openSellerTokens({ db: database.db, secrets }).issue(seller.id)).token
const { token } = await apiAt(ending.url).register(newcomer())
const { id: userId } = decodeCustomer(token)!

/** Whether the process has stopped accepting connections. */
const isShut = () =>
  fetch(ending.url).then(
    () => false,
    () => true,
  )

test('a shop is told of a message that a customer sends while the customer’s process is ending', async () => {
  const [hers, shops] = [connect(ending.url, token), connect(other.url, sellerToken)]
  await Promise.all([hers.in(), shops.in()])
  await expect.poll(() => hers.of(events.activeSeller)).toContainEqual([{ sellerId: seller.id }])
  const body = JSON.stringify({ userId, sellerId: seller.id, text: 'Do you ship?', clientId: randomUUID() })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sending = await openConnection(ending.url)
  const length = String(Buffer.byteLength(body))
  sending.socket.write(requestText(`/api${sendMessage.path}`, { ...headers, 'content-length': length }, 'POST'))
  sending.socket.write(body.slice(0, -1))

  const ended = ending.terminate()
  await expect.poll(isShut, PATIENCE).toBe(true)
  sending.socket.write(body.slice(-1))

  expect(await sending.closed).toContain('Do you ship?')
  expect(await ended).toBe(0)
  await expect.poll(() => shops.of(events.customerMessage)).toMatchObject([{ message: 'Do you ship?' }])
  shops.socket.disconnect()
})
