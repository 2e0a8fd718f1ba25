import { atom, computed } from 'nanostores'
import { isBlank } from '#contract/wire.ts'
import type { About } from '#contract/chat.ts'
import { ApiError } from '#lib/api.ts'
import { idsOf, withAddress } from '#lib/chat/about.ts'
import { RESEND_MS, SEND_TIMEOUT_MS } from '#lib/constants.ts'
import { newKey } from '#lib/key.ts'
import { fetchReply } from './ai-replies.ts'
import { receiveMessage } from './arrivals.ts'
import { client } from '../client.ts'
import { $unsentMessages, type Outgoing } from './unsent-messages.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { relay } from '../realtime.ts'
import { $isConnected } from '../socket-events.ts'
import { $customer } from '../accounts/session.ts'
import { sound } from './sound.ts'

/** The customer's unconfirmed messages, oldest first. Sending one twice is harmless: it has a `clientId`. */
export const $outbox = computed([$unsentMessages, $customer], (unsent, customer) =>
  Object.values(unsent)
    .filter(each => each !== undefined)
    .filter(({ userId }) => userId === customer?.id)
    .toSorted((a, b) => a.at.localeCompare(b.at)),
)

/** How many messages this page has sent. */
export const $sentCount = atom(0)

let run: Promise<void> | undefined
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message at once and sends it as soon as possible. A message about a card ends with the URL of its page. */
export function sendText(sellerId: string, words: string, about: About | null = null): void {
  const text = about ? withAddress(words, about) : words
  const userId = $customer.get()?.id
  if (!userId || isBlank(text)) return
  const clientId = newKey()
  $unsentMessages.setKey(clientId, {
    clientId,
    userId,
    sellerId,
    text,
    at: new Date().toISOString(),
    ...(about && { about }),
  })
  sound('sent')
  void sendWaiting()
}

/** Sends a rejected message again. */
export function sendAgain(clientId: string): void {
  updateMessage(clientId, outgoing => {
    const { problem, ...waiting } = outgoing
    return waiting
  })
  void sendWaiting()
}

/** Deletes a message that was not sent. */
export function discardMessage(clientId: string): void {
  $unsentMessages.setKey(clientId, undefined)
}

/** Sends all waiting messages one after the other. If one cannot be delivered, tries again a little later. */
export function sendWaiting(): Promise<void> {
  clearTimeout(timer)
  run ??= sendAll().finally(() => {
    run = undefined
    if (nextWaiting()) retryLater()
  })
  return run
}

/** Does nothing while offline; the `online` event and the timer of `sendWaiting` try again. */
async function sendAll(): Promise<void> {
  for (let next = nextWaiting(); next && navigator.onLine; next = nextWaiting()) {
    if (!(await sendToProvider(next))) return
    failures = 0
  }
}

function nextWaiting(): Outgoing | undefined {
  return $outbox.get().find(({ problem }) => problem === undefined)
}

function retryLater(): void {
  const delay = RESEND_MS[Math.min(failures, RESEND_MS.length - 1)]
  failures += 1
  timer = setTimeout(() => void sendWaiting(), delay)
}

/** True when the message was stored or rejected; false when the outcome is unknown and it must be sent again. */
async function sendToProvider({ clientId, userId, sellerId, text, about }: Outgoing): Promise<boolean> {
  try {
    const name = $customer.get()?.name
    const { message } = await withTimeout(
      client.api.sendMessage({
        userId,
        sellerId,
        text,
        clientId,
        ...(name && { name }),
        ...(about && { about: idsOf(about) }),
      }),
    )
    receiveMessage(message)
    discardMessage(clientId)
    $sentCount.set($sentCount.get() + 1)
    relay(message)
    if (!$isConnected.get()) notifyOtherTabs('chat')
    void fetchReply(sellerId, message.id)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) {
      updateMessage(clientId, outgoing => ({ ...outgoing, problem: 'Something went wrong' }))
      throw error
    }
    if (isTemporary(error)) return false
    updateMessage(clientId, outgoing => ({ ...outgoing, problem: error.message }))
    return true
  }
}

/** Temporary failures: the network, a busy or unavailable provider, or an expired session (409). */
function isTemporary({ status }: ApiError): boolean {
  return status >= 500 || status === 429 || status === 409 || status === 408
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new ApiError(503, 'There was no answer in time', { isSilent: true })
    const timeout = setTimeout(() => reject(late), SEND_TIMEOUT_MS)
    void work.then(resolve, reject).finally(() => clearTimeout(timeout))
  })
}

function updateMessage(clientId: string, update: (outgoing: Outgoing) => Outgoing): void {
  const outgoing = $unsentMessages.get()[clientId]
  if (outgoing) $unsentMessages.setKey(clientId, update(outgoing))
}
