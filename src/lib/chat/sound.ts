/** Two short notes in hertz: rising for received messages, falling for sent ones. */
const NOTES = { received: [660, 880], sent: [740, 590] } as const
export type Tone = keyof typeof NOTES

const NOTE_S = 0.09
const VOLUME = 0.06
const QUIET = 0.0001
/** The message shows first: before the first tone, the browser starts its audio, which can take as long. */
const DELAY_MS = 100
let context: AudioContext | undefined

/** Plays a generated tone. Silent before the first click or key press, because browsers forbid it. */
export function playTone(tone: Tone): void {
  if (navigator.userActivation.hasBeenActive) setTimeout(() => play(tone), DELAY_MS)
}

function play(tone: Tone): void {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const [at, frequency] of NOTES[tone].entries()) {
    const note = context.createOscillator()
    const volume = context.createGain()
    const start = currentTime + at * NOTE_S
    note.frequency.value = frequency
    volume.gain.setValueAtTime(VOLUME, start)
    volume.gain.exponentialRampToValueAtTime(QUIET, start + NOTE_S * 2)
    note.connect(volume).connect(destination)
    note.start(start)
    note.stop(start + NOTE_S * 2)
  }
}

const LOCK = 'piazza-sound'

/** Runs `work` in only one of the tabs that call this within `holdMs`. */
export async function inOneTab(work: () => void, holdMs: number): Promise<void> {
  // The types claim that it always exists, but only secure contexts have it.
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return work()
  await locks.request(LOCK, { ifAvailable: true }, async lock => {
    if (!lock) return
    work()
    await new Promise(resolve => setTimeout(resolve, holdMs))
  })
}
