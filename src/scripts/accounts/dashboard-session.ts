import { flash, hasFlash } from '#lib/flash.ts'
import { goToLogin } from '#lib/accounts/guard.ts'
import { whenIdle } from '#lib/idle.ts'
import { leave } from '#lib/leave.ts'
import { announceMessages } from '#stores/chat/incoming.ts'
import { connect } from '#stores/realtime.ts'
import { $customer, signOut } from '#stores/accounts/session.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'

let isLeaving = false

/** Leaves the page when the session ends, in this tab or another. Announces incoming messages until then. */
export function followSession(): void {
  $customer.subscribe(customer => {
    if (customer || isLeaving) return
    // Whatever ended the session may have left a more precise message.
    if (!hasFlash()) flash('error', 'Your session has ended. Log in to continue where you left off.')
    goToLogin()
  })
  // Without a session, the page is about to redirect to the login.
  whenIdle(() => $customer.get() && connect())
  announceMessages()
}

/** Signs out and opens the login. Offline, only says so: the session would go on, and no page could be loaded. */
export async function logout(): Promise<void> {
  if (sayIfOffline()) return
  isLeaving = true
  try {
    await signOut()
  } finally {
    leave(() => location.replace('/login'))
  }
}
