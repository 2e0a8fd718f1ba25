import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'
import { messagesOf, putEarlier } from './threads.ts'
import { toast } from '../ui/toasts.ts'

/** The seller whose earlier messages are on their way; null for none. */
export const $loadingEarlier = atom<string | null>(null)

/** Adds what was written before the first message that is known here, a page of it, or says why that cannot be had. */
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

/** Asks again for what stands before the message `id`: the addresses of files expire. */
export async function renewBefore(sellerId: string, id: string | undefined): Promise<void> {
  for (let before = id; before && before !== messagesOf(sellerId)[0]?.id;) {
    before = await putPageBefore(sellerId, before)
  }
}

/** Answers the id of the first message of the page; undefined where there is none. */
async function putPageBefore(sellerId: string, before: string): Promise<string | undefined> {
  const userId = $customer.get()?.id
  const { messages, hasMore } = await client.api.getMessages({ sellerId, before })
  if ($customer.get()?.id !== userId) return undefined
  return putEarlier(sellerId, before, messages, hasMore)
}
