import { persistentBoolean } from '@nanostores/persistent'
import { inOneTab, playTone, type Tone } from '#lib/chat/sound.ts'

/** Whether messages may be heard, on this browser. */
export const $isMuted = persistentBoolean('chatMuted')

/** Tabs hear of the same message within this time. */
const TOGETHER_MS = 500

/** Plays a tone when a message goes out or comes in; one that came in to several tabs is heard once. */
export function sound(tone: Tone): void {
  if ($isMuted.get()) return
  if (tone === 'sent') playTone(tone)
  else void inOneTab(() => playTone(tone), TOGETHER_MS)
}

/** Lets messages be heard, or no longer; kept for this browser. */
export function toggleSound(): void {
  $isMuted.set(!$isMuted.get())
}
