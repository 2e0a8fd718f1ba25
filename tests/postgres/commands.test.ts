import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { attachments, conversations, messages, users } from '#server/db/schema.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { placeOrder } from '#server/orders/placing.ts'
import { socketPath } from '#server/platform/operators-socket.ts'
import { openProvider, type Provider } from '#server/provider.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addCustomers } from '#tests/support/provider/crowd.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { writtenLetters } from '#tests/support/provider/mail-folder.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { typeCommand } from '#tests/support/provider/typing.ts'

const log = pino({ level: 'silent' })

/** The shop's database without a process of the shop, and a function that opens it as an operator's command does. */
async function openData(cluster = inject('postgresUrl')) {
  const more = { SMTP_URL: '', PUBLIC_URL: 'https://shop.example' }
  const data = await makeShopData(cluster ?? undefined, more)
  onTestFinished(data.remove)
  return {
    ...data,
    async openCommand() {
      const environment = { ...data.environment, DATA_DIR: join(data.dataDir, 'of-a-shell') }
      const command = await openProvider(readConfig(environment), log, { isCommand: true })
      onTestFinished(command.close)
      return command
    },
  }
}

async function placePaidOrder({ database: { db }, jobs }: Provider): Promise<string> {
  const rosa = { id: 'rosa', name: 'Rosa', email: 'rosa@x.test', passwordHash: '', emailConfirmedAt: new Date() }
  await db.insert(users).values(rosa)
  const wanted = orderOf(rosa.id, [await addShippable(db, { shopName: 'Clay' })])
  const id = await placeOrder({ db, jobs, holdLimits: readHoldLimits() }, rosa.id, wanted)
  await payOrder(db, jobs, { _id: id, priceCents: wanted.priceCents })
  return id
}

test('a command leaves the mail about a shipped order to the shop', async () => {
  const data = await openData()
  await data.within(async shop => {
    await shop.start()
    const id = await placePaidOrder(shop)
    await lettersSent(shop.database.db)
    const command = await data.openCommand()

    expect(await operatorOf(command)('order', 'ship', id)).toMatchObject({ code: 0 })

    await lettersSent(shop.database.db)
    expect(await writtenLetters(command.config)).toEqual([])
    expect((await writtenLetters(shop.config)).at(-1)).toContain('Clay has shipped what you ordered')
  })
})

/** Listens to operators as a shop does whose service may not write to the folder of their archives. */
async function listenWithoutWriting(dataDir: string): Promise<void> {
  const frames = [{ err: 'EROFS: read-only file system\n' }, { code: 1 }]
  const server = createServer((_, answer) => answer.end(frames.map(frame => `${JSON.stringify(frame)}\n`).join('')))
  await once(server.listen(socketPath(dataDir)), 'listening')
  onTestFinished(() => void server.close())
}

test('a backup beside a running shop can go where only the operator may write', async () => {
  const data = await openData()
  const file = join(data.dataDir, 'shop.tar.gz')
  await data.within(async shop => {
    await placePaidOrder(shop)
    await listenWithoutWriting(data.dataDir)

    const backup = await typeCommand(['backup', file], { env: data.environment })

    expect(backup).toMatchObject({ code: 0, err: '' })
    expect(backup.out).toMatch(/^\d+ rows, pictures and files are in /)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

test('a backup says how many files of customers only other processes have', async () => {
  const data = await openData()
  await data.within(async shop => {
    const { db } = shop.database
    const [customer] = await addCustomers(db, 1)
    const { id: sellerId } = await addSeller(db)
    const [chat] = await db.insert(conversations).values({ userId: customer!.id, sellerId, lastSeq: 1 }).returning()
    const message = { conversationId: chat!.id, seq: 1, sender: 'customer' as const, text: '' }
    const [{ id: messageId } = { id: '' }] = await db.insert(messages).values(message).returning()
    const key = await shop.uploads.add(Buffer.from('Dear shop'), 'text/plain')
    const file = { key, type: 'other' as const, mimeType: 'text/plain', originalName: 'letter.txt', size: 9 }
    await db.insert(attachments).values({ ...file, messageId, position: 0 })
    const command = await data.openCommand()

    const [lacking, complete] = [join(data.dataDir, 'lacking.tar.gz'), join(data.dataDir, 'complete.tar.gz')]
    const { code, err } = await operatorOf(command)('backup', lacking)
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^warning: the archive lacks 1 file of customers: .*\n$/),
    })
    expect(await operatorOf(shop)('backup', complete)).toMatchObject({ code: 0, err: '' })
  })
})

test.each([
  ['PostgreSQL', inject('postgresUrl')],
  ['the embedded database', null],
])('a command can refund an order of a restored shop before its first start, on %s', async (_, cluster) => {
  const command = await (await openData(cluster)).openCommand()
  const id = await placePaidOrder(command)

  expect(await operatorOf(command)('order', 'refund', id)).toMatchObject({ code: 0, out: `${id} is refund_pending\n` })
})
