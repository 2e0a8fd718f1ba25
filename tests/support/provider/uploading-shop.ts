import { getRequestListener } from '@hono/node-server'
import * as z from 'zod/mini'
import { type Attachment, Message } from '#contract/chat.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import type { ChatFile } from '../uploads/chat-files.ts'
import { listen } from '../fakes/http.ts'
import { startProvider } from './provider.ts'
import { type Answer, filesIn, sendForm } from '../uploads/uploading.ts'

/** A listening provider with a shop and a customer, and functions to send files. */
export async function startUploading(options: Parameters<typeof startProvider>[0] = {}) {
  const provider = await startProvider(options)
  const server = await listen(getRequestListener(provider.fetch, { overrideGlobalObjects: false }))
  const shop = await addSeller(provider.db)
  const ada = await provider.customer('Ada')
  type Customer = Pick<typeof ada, 'id' | 'token'>

  const between = ({ id }: Pick<Customer, 'id'>) => ({ userId: id, sellerId: shop.id })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.url + path, { headers, method })

  function send(customer: Customer, files: ChatFile[], fields: Record<string, string> = {}): Promise<Answer> {
    return sendForm(server.url, customer.token, { ...between(customer), ...fields }, files)
  }

  async function sent(customer: Customer, files: ChatFile[], fields?: Record<string, string>): Promise<Message> {
    const { status, error, body } = await send(customer, files, fields)
    if (status !== 201) throw new Error(`${status} ${error}`)
    return messageOf(body)
  }

  return {
    ...provider,
    url: server.url,
    shop,
    ada,
    between,
    bearer: ({ token }: Customer) => ({ authorization: `Bearer ${token}` }),
    onDisk: () => filesIn(provider.uploadsDir),
    /** Sends a message with files and returns any response. */
    send,
    /** Sends a message with files and returns it. Throws if it is rejected. */
    sent,
    async attach(customer: Customer, file: ChatFile): Promise<Attachment> {
      const { attachments } = await sent(customer, [file])
      return attachments[0]!
    },
    get,
    bytesOf: async (path: string) => Buffer.from(await (await get(path)).arrayBuffer()),
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

export function messageOf(body: string): Message {
  return z.decode(Message, (JSON.parse(body) as { message: z.input<typeof Message> }).message)
}
