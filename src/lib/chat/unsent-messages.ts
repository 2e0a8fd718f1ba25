import { whenIdle } from '../idle.ts'

/** Prefix of the local storage keys of unconfirmed messages. */
export const OUTBOX_PREFIX = 'chatOutbox:'

/** Runs `send` when the page is idle and whenever the network is back, if there are unsent messages. */
export function sendLeftMessages(send: () => void): void {
  const sendIfAny = () => {
    if (Object.keys(localStorage).some(key => key.startsWith(OUTBOX_PREFIX))) send()
  }
  whenIdle(sendIfAny)
  addEventListener('online', sendIfAny)
}
