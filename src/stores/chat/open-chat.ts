import { atom } from 'nanostores'

/** The open conversation and its loading state. */
export type OpenChat =
  | { state: 'none' }
  | { state: 'loading' | 'ready' | 'missing'; sellerId: string }
  | { state: 'failed'; sellerId: string; message: string }

export const $openChat = atom<OpenChat>({ state: 'none' })

/** The seller of the open conversation; null for none. */
export function openSellerId(): string | null {
  const open = $openChat.get()
  return open.state === 'none' ? null : open.sellerId
}

/** Whether the conversation with a seller is open and the tab is visible. */
export function isInView(sellerId: string): boolean {
  return openSellerId() === sellerId && document.visibilityState === 'visible'
}
