import { flash } from './flash.ts'

/**
 * Takes the token of a reset link out of the address, so that it is neither read over a shoulder nor told to anybody;
 * this entry of the history keeps it for a reload. Without one the visitor is sent to ask for a new link.
 */
export function hideResetToken(): void {
  const token = new URLSearchParams(location.search).get('token') || readResetToken()
  if (token) return history.replaceState({ resetToken: token }, '', location.pathname)
  flash('error', 'Invalid or missing reset token')
  location.replace('/forgotpassword')
}

/** The token of the link that led here; empty without one. */
export function readResetToken(): string {
  const { resetToken } = (history.state ?? {}) as { resetToken?: unknown }
  return typeof resetToken === 'string' ? resetToken : ''
}
