import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'
import { messagesOf, putEarlier } from './threads.ts'
import { toast } from '../ui/toasts.ts'

/** The seller whose earlier messages are being loaded, or null. */
export const $loadingEarlier = atom<string | null>(null)

/** Loads the page of messages before the first known one. A toast shows a failure. */
export async function loadEarlier(sellerId: string): Promise<void> {
  const first = messagesOf(sellerId)[0]
  if (!first || $loadingEarlier.get()) return
  $loadingEarlier.set(sellerId)
  try {
    await putPageBefore(sellerId, first.id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.message)
  } finally {
    $loadingEarlier.set(null)
  }
}

/** Reloads the known messages before the message `id`, because the URLs of files expire. */
export async function renewBefore(sellerId: string, id: string | undefined): Promise<void> {
  for (let before = id; before && before !== messagesOf(sellerId)[0]?.id;) {
    before = await putPageBefore(sellerId, before)
  }
}

/** Returns the id of the page's first message; undefined if there is none. */
async function putPageBefore(sellerId: string, before: string): Promise<string | undefined> {
  const userId = $customer.get()?.id
  const { messages, hasMore } = await client.api.getMessages({ sellerId, before })
  if ($customer.get()?.id !== userId) return undefined
  return putEarlier(sellerId, before, messages, hasMore)
}
