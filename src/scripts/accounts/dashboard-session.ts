import { goToLogin } from '#lib/accounts/guard.ts'
import { whenIdle } from '#lib/idle.ts'
import { announceMessages } from '#stores/chat/incoming.ts'
import { connect } from '#stores/realtime.ts'
import { $customer, signOut } from '#stores/accounts/session.ts'
import { showUnread } from '../notifications/unread-badge.ts'

let isLeaving = false

/** Leaves the page when the session ends, here or in another tab; until then tells what comes in. */
export function followSession(): void {
  $customer.subscribe(customer => {
    if (!customer && !isLeaving) goToLogin()
  })
  showUnread()
  // A visitor is leaving for the login.
  whenIdle(() => $customer.get() && connect())
  announceMessages()
}

export async function logout(): Promise<void> {
  isLeaving = true
  try {
    await signOut()
  } finally {
    location.replace('/login')
  }
}
