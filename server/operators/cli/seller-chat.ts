import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Message } from '#contract/chat.ts'
import type { ChatCustomer } from '#server/chat/conversations.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { dollars } from '#server/platform/usd.ts'
import { many } from './describe.ts'
import type { SellerAccess } from './seller-handlers.ts'
import { openSellerConnection } from './seller-connection.ts'

interface Options {
  input: Readable
  output: Writable
  /** Whether input and output are a terminal, which needs a prompt. */
  isWatched: boolean
  signal: AbortSignal
}

const HELP = `/1 opens the conversation with the first customer; what you type then is sent.
/list shows the customers, /quit leaves.`
const ASKS_FOR_PERSON = ' (asks for a person)'
const CLEAR_LINE = '\r\u001B[K'

/**
 * A shop's chat in a terminal: lists its customers, shows conversations, sends typed lines. Resolves with the exit
 * code.
 */
export async function chatAsSeller(
  { url, token, sellerId, shopName }: SellerAccess,
  { input, output, isWatched, signal }: Options,
): Promise<number> {
  const lines = createInterface({ input, ...(isWatched && { output, prompt: '> ' }) })
  // The iterator buffers typed lines from here on, so that none is lost while the socket connects.
  const everyLine = lines[Symbol.asyncIterator]()
  let customers: ChatCustomer[] = []
  let open: ChatCustomer | undefined
  const shown = new Set<string>()

  function print(text: string): void {
    output.write(`${isWatched ? CLEAR_LINE : ''}${text}\n`)
    if (isWatched) lines.prompt(true)
  }

  async function list(): Promise<void> {
    customers = await connection.customers()
    const rows = customers.map(({ name, unread, lastMessage, needsAttention }, at) => {
      const count = unread > 0 ? ` (${many(unread, 'new message')})` : ''
      const mark = needsAttention ? ASKS_FOR_PERSON : ''
      return `${`/${at + 1}`.padStart(5)}  ${singleLine(name)}${mark}${count}  ${singleLine(lastMessage)}`
    })
    print([`${singleLine(shopName)} has chats with ${many(customers.length, 'customer')}.`, ...rows].join('\n'))
  }

  function show(message: Message): void {
    if (shown.has(message.id)) return
    shown.add(message.id)
    const { createdAt, senderId, senderName, text, attachments, isAutomated, needsAttention, about } = message
    const who = senderId !== sellerId ? singleLine(senderName) : isAutomated ? 'Automated response' : 'You'
    const files = attachments.map(file => `[${singleLine(file.originalName)} ${new URL(file.url, url).href}]`)
    // The text of a question about an order contains only a URL that just the customer can open.
    const subject = about ? [`(${singleLine(about.name)}, ${dollars(about.priceCents)})`] : []
    const said = [singleLine(text), ...subject, ...files].join(' ').trim()
    print(`${createdAt.slice(0, 16).replace('T', ' ')}  ${who}${needsAttention ? ASKS_FOR_PERSON : ''}: ${said}`)
  }

  /** Shows the messages of the open conversation that are not shown yet. */
  async function catchUp(): Promise<void> {
    if (!open) return
    const { messages } = await connection.messages(open.id)
    messages.forEach(show)
    await connection.markSeen(open.id)
  }

  async function receive(message: Message): Promise<void> {
    const { senderId, receiverId, senderName } = message
    const isTheirs = senderId !== sellerId
    if (open && [senderId, receiverId].includes(open.id)) {
      show(message)
      if (isTheirs) await connection.markSeen(open.id)
    } else if (message.needsAttention) print('A customer asks for a person. /list shows the customers.')
    else if (isTheirs) print(`New message from ${singleLine(senderName)}. /list shows the customers.`)
  }

  async function runTyped(typed: string): Promise<void> {
    const chosen = /^\/\d{1,4}$/.test(typed) ? customers[Number(typed.slice(1)) - 1] : undefined
    if (typed === '') return
    if (typed === '/list') await list()
    else if (typed === '/quit') lines.close()
    else if (chosen) {
      open = chosen
      shown.clear()
      print(`With ${singleLine(chosen.name)}:`)
      await catchUp()
    } else if (!open || typed.startsWith('/')) print(HELP)
    else show(await connection.send(open.id, typed))
  }

  const printError = (error: unknown) => print((error as Error).message)
  const connection = await openSellerConnection({
    url,
    token,
    onMessage: message => void receive(message).catch(printError),
    onReconnect: () => void catchUp().catch(printError),
    signal,
  }).catch((error: unknown) => {
    // An open input would keep the command from ending.
    lines.close()
    throw error
  })
  signal.addEventListener('abort', () => lines.close())
  try {
    await list()
    print(HELP)
    for await (const typed of everyLine) await runTyped(typed.trim()).catch(printError)
    return 0
  } finally {
    connection.close()
    lines.close()
  }
}
