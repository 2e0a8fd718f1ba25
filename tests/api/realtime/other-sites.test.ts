import { afterAll, expect, test } from 'vitest'
import { events } from '#contract/realtime.ts'
import { addTalkers, startSockets } from '#tests/support/provider/sockets.ts'

const SHOP = 'https://shop.example'
const PARTNER = 'https://app.partner.example'

const shop = await startSockets({ publicUrl: SHOP, corsOrigins: [PARTNER] })
afterAll(shop.close)
const { grace, seller, sellerToken } = await addTalkers(shop)

/** The URL of the file in a message. */
const fileIn = (message: unknown) => (message as { attachments: { url: string }[] }).attachments[0]?.url

test('windows on a listed site get full URLs of the files in messages, the shop’s own windows get paths', async () => {
  const onPartner = { extraHeaders: { origin: PARTNER } }
  const own = await shop.window(grace.token)
  const visitor = await shop.window(undefined, onPartner)
  await visitor.socket.emitWithAck(events.addUser, grace.id, { id: grace.id }, { token: grace.token })
  const sellers = [await shop.window(sellerToken, onPartner), await shop.window(sellerToken)] as const
  const files = [new File(['Hello'], 'note.txt')]

  await grace.api.sendFiles({ userId: grace.id, sellerId: seller.id, text: 'Look', files })

  const path = expect.stringMatching(/^\/media\/files\//) as string
  const address = expect.stringMatching(/^https:\/\/shop\.example\/media\/files\//) as string
  await expect.poll(() => own.of(events.ownMessage).map(fileIn)).toEqual([path])
  await expect.poll(() => visitor.of(events.ownMessage).map(fileIn)).toEqual([address])
  for (const [at, expected] of [address, path].entries()) {
    const { socket, of } = sellers[at]!
    await expect.poll(() => of(events.customerMessage).map(fileIn)).toEqual([expected])
    const { messages } = (await socket.emitWithAck(events.getMessages, { customerId: grace.id })) as {
      messages: unknown[]
    }
    expect(messages.map(fileIn)).toEqual([expected])
  }
})
