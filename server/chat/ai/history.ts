import type { Said } from './assistant.ts'

/** Number of messages at the end of a conversation that a prompt may contain. */
export const MOST_MESSAGES = 20
const MOST_BYTES = 8 * 1024

/** The end of a conversation, oldest first: the newest messages that fit into 8 kB. */
export function recent(said: Said[]): Said[] {
  const last = said.filter(({ text }) => text !== '').slice(-MOST_MESSAGES)
  let bytes = 0
  const isFull = ({ text }: Said) => (bytes += Buffer.byteLength(text)) > MOST_BYTES
  const before = last.findLastIndex(isFull)
  return last.slice(before + 1)
}
