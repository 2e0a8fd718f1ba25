import { whenIdle } from '../idle.ts'

/** What stands before the name of each message that the provider has not confirmed, in local storage. */
export const OUTBOX_PREFIX = 'chatOutbox:'

/** Runs `send` once the page is idle, and whenever the network is back, as long as a message waits that was left behind. */
export function sendLeftMessages(send: () => void): void {
  const sendIfAny = () => {
    if (Object.keys(localStorage).some(key => key.startsWith(OUTBOX_PREFIX))) send()
  }
  whenIdle(sendIfAny)
  addEventListener('online', sendIfAny)
}
