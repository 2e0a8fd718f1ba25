import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { orderPath } from '#contract/page-urls.ts'
import type { AppContext } from '#server/operators/cli/app-context.ts'
import { handleCommand } from '#server/operators/cli/handle-command.ts'
import type { SellerAccess } from '#server/operators/cli/seller-handlers.ts'
import { chatAsSeller } from '#server/operators/cli/seller-chat.ts'
import type { Command } from '#server/operators/cli/command.ts'
import { dollars } from '#server/platform/usd.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { conversation } from '#tests/support/provider/conversation.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startSockets } from '#tests/support/provider/sockets.ts'

const shop = await startSockets()
afterAll(shop.close)

async function runCommand(command: Command, address?: string) {
  let [out, err] = ['', '']
  const context = { ...shop, ...(address && { address }) } as unknown as AppContext
  const code = await handleCommand(command, context, {
    read: new PassThrough(),
    out: async text => void (out += text),
    err: async text => void (err += text),
    isWatched: false,
    signal: new AbortController().signal,
  })
  return { code, out, err }
}

/** Opens the seller’s chat in a terminal. */
async function sitDown(sellerId: string) {
  const { out } = await runCommand({ name: 'seller line', shop: sellerId }, shop.url)
  const [input, output] = [new PassThrough(), new PassThrough()]
  let screen = ''
  output.setEncoding('utf8').on('data', text => (screen += text))
  const { signal } = new AbortController()
  const ended = chatAsSeller(JSON.parse(out) as SellerAccess, { input, output, isWatched: false, signal })
  return {
    ended,
    type: (line: string) => void input.write(`${line}\n`),
    async reads(text: string | RegExp) {
      await expect.poll(() => screen).toMatch(text)
    },
    screen: () => screen,
  }
}

test('the seller’s terminal chat ends with an error when the shop rejects its token', async () => {
  const { id } = await addSeller(shop.db)
  const { out } = await runCommand({ name: 'seller line', shop: id }, shop.url)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const line = { ...(JSON.parse(out) as SellerAccess), token: 'stale' }

  const ended = chatAsSeller(line, { input, output, isWatched: false, signal: new AbortController().signal })

  await expect(ended).rejects.toThrow('Please login first')
  // Otherwise the command would wait for more input.
  expect(input.isPaused()).toBe(true)
})

test('the seller’s terminal chat ends at once when it is interrupted while the shop does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { id } = await addSeller(shop.db)
  const { out } = await runCommand({ name: 'seller line', shop: id }, shop.url)
  const { port } = silent.address() as AddressInfo
  const line = { ...(JSON.parse(out) as SellerAccess), url: `http://127.0.0.1:${port}` }
  const leaving = new AbortController()
  const [input, output] = [new PassThrough(), new PassThrough()]
  const connected = once(silent, 'connection')

  const ended = chatAsSeller(line, { input, output, isWatched: false, signal: leaving.signal })
  const [socket] = (await connected) as [Socket]
  leaving.abort(new Error('interrupted'))

  await expect(ended).rejects.toThrow('interrupted')
  socket.destroy()
})

describe('a seller', () => {
  test('can sign in with a token until it is revoked', async () => {
    const { id } = await addSeller(shop.db, { key: 'clay', shopName: 'Clay & Kiln' })
    const { out, code } = await runCommand({ name: 'seller token', shop: 'clay' })
    expect([code, await shop.sellerTokens.identify(out.trim())]).toEqual([0, { id, shopName: 'Clay & Kiln' }])

    expect(await runCommand({ name: 'seller revoke', shop: 'Clay & Kiln' })).toMatchObject({
      out: 'Clay & Kiln needs a new token now\n',
    })
    await expect(shop.sellerTokens.identify(out.trim())).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    expect(await runCommand({ name: 'seller token', shop: 'nowhere' })).toMatchObject({
      code: 1,
      err: "No shop is called 'nowhere'\n",
    })
    expect(await runCommand({ name: 'seller line', shop: 'clay' })).toMatchObject({
      code: 1,
      err: 'No shop is running on this data: start it with npm start\n',
    })
  })

  test('can turn automated replies on and off', async () => {
    const { id } = await addSeller(shop.db, { key: 'kiln', shopName: 'Kiln' })
    const ask = () => shop.api.getAiStatus({ sellerId: id })
    expect(await runCommand({ name: 'seller ai', shop: 'kiln', hasAi: true })).toMatchObject({
      out: 'Kiln answers automatically now\n',
    })
    expect(await ask()).toEqual({ hasAi: true })
    expect(await runCommand({ name: 'seller ai', shop: 'kiln', hasAi: false })).toMatchObject({
      out: 'Kiln answers by hand now\n',
    })
    expect(await ask()).toEqual({ hasAi: false })
  })

  test('can talk to customers in a terminal', async () => {
    const { shop: seller, send, read } = await conversation(shop)
    await send('Do you ship\u001B[2J to Kenya?')
    const terminal = await sitDown(seller.id)
    await terminal.reads(/has chats with 1 customer\.\n +\/1 {2}Grace Hopper \(1 new message\) {2}Do you ship/)

    terminal.type('Hello?')
    await terminal.reads('/1 opens the conversation')
    terminal.type('/1')
    await terminal.reads(/Grace Hopper: Do you ship \[2J to Kenya\?\n/)
    expect(terminal.screen()).not.toContain('\u001B')
    terminal.type('We do')
    await terminal.reads('You: We do\n')
    await send('Wonderful')
    await terminal.reads('Grace Hopper: Wonderful\n')
    await expect.poll(async () => (await read()).seenUpTo).toBe(3)
    const ada = await shop.customer('Ada Lovelace')
    await ada.api.sendMessage({ userId: ada.id, sellerId: seller.id, text: 'And to Ghana?' })
    await terminal.reads('New message from Ada Lovelace. /list shows the customers.\n')
    terminal.type('/quit')

    expect(await terminal.ended).toBe(0)
    expect((await read()).messages.map(({ text }) => text)).toContain('We do')
  })

  test('sees first in the terminal who asks for a person, until a person answers', async () => {
    const { grace, shop: seller, send, answer } = await conversation(shop)
    await runCommand({ name: 'seller ai', shop: seller.id, hasAi: true })
    const { id: messageId } = await send('I want to speak to human')
    await grace.api.getAiReply({ sellerId: seller.id, messageId })
    const ada = await shop.customer('Ada Lovelace')
    await ada.api.sendMessage({ userId: ada.id, sellerId: seller.id, text: 'Good morning' })
    const terminal = await sitDown(seller.id)

    await terminal.reads(
      /\/1 {2}Grace Hopper \(asks for a person\) \(1 new message\) .*\n +\/2 {2}Ada Lovelace \(1 new/,
    )
    terminal.type('/1')
    await terminal.reads('  Automated response (asks for a person): I have marked your message')
    await answer('Jane here')
    terminal.type('/list')

    await terminal.reads(/Grace Hopper {2}Jane here/)
    terminal.type('/quit')
    expect(await terminal.ended).toBe(0)
  })

  test('hears in the terminal when somebody asks for a person', async () => {
    const { grace, shop: seller, send } = await conversation(shop)
    await runCommand({ name: 'seller ai', shop: seller.id, hasAi: true })
    const terminal = await sitDown(seller.id)
    await terminal.reads('/list shows the customers')
    const { id: messageId } = await send('I want to speak to human')
    await grace.api.getAiReply({ sellerId: seller.id, messageId })

    await terminal.reads('A customer asks for a person. /list shows the customers.\n')
    terminal.type('/quit')
    expect(await terminal.ended).toBe(0)
  })

  test('reads in the terminal which order a customer asks about', async () => {
    const { grace, shop: seller, between } = await conversation(shop)
    const kettle = await addShippable(shop.db, { sellerId: seller.id, priceCents: 2000 })
    const { orderId } = await grace.api.placeOrder(orderOf(grace.id, [kettle]))
    const { order } = await grace.api.getOrder({ orderId })
    const [part] = order.groups
    const text = `Where is it?\nhttps://market.example${orderPath(orderId)}`
    await grace.api.sendMessage({ ...between, text, about: { orderId } })
    const terminal = await sitDown(seller.id)
    await terminal.reads('Grace Hopper (1 new message)  Where is it?')

    terminal.type('/1')

    await terminal.reads(`(Order ${order.number}, ${dollars(part!.priceCents)})\n`)
    terminal.type('/quit')
    expect(await terminal.ended).toBe(0)
  })
})
