import { atom } from 'nanostores'

/** Which conversation is shown, and how far its messages are here. */
export type OpenChat =
  | { state: 'none' }
  | { state: 'loading' | 'ready' | 'missing'; sellerId: string }
  | { state: 'failed'; sellerId: string; message: string }

export const $openChat = atom<OpenChat>({ state: 'none' })

/** The seller whose conversation is shown; null for none. */
export function openSellerId(): string | null {
  const open = $openChat.get()
  return open.state === 'none' ? null : open.sellerId
}

/** Whether somebody looks at the conversation with a seller now. */
export function isLookedAt(sellerId: string): boolean {
  return openSellerId() === sellerId && document.visibilityState === 'visible'
}
