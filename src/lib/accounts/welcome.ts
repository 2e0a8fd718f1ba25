import { flash } from '../flash.ts'
import { peekIntent } from './intent.ts'

/**
 * Shows the message about a login on the next page, unless an action continues there that the visitor clicked before:
 * its own toast says enough.
 */
export function flashWelcome(message: string, next: string): void {
  if (!peekIntent(next)) flash('success', message)
}
