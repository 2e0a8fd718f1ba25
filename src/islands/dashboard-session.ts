import { goToLogin } from '#lib/guard.ts'
import { $customer, signOut } from '#stores/session.ts'

let isLeaving = false

/** Leaves the page when the session ends, here or in another tab. */
export function followSession(): void {
  $customer.subscribe(customer => {
    if (!customer && !isLeaving) goToLogin()
  })
}

export async function logout(): Promise<void> {
  isLeaving = true
  try {
    await signOut()
  } finally {
    location.replace('/login')
  }
}
