import { persistentBoolean } from '@nanostores/persistent'
import { inOneTab, playTone, type Tone } from '#lib/chat/sound.ts'

/** Whether message sounds are off in this browser. */
export const $isMuted = persistentBoolean('chatMuted')

/** Within this time, all tabs receive the same message. */
const TOGETHER_MS = 500

/** Plays a tone for a sent or received message. For a received message, only one tab plays it. */
export function sound(tone: Tone): void {
  if ($isMuted.get()) return
  if (tone === 'sent') playTone(tone)
  else void inOneTab(() => playTone(tone), TOGETHER_MS)
}

/** Turns message sounds on or off in this browser. */
export function toggleSound(): void {
  $isMuted.set(!$isMuted.get())
}
