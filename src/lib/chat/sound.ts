/** Two short notes: rising for what comes in, falling for what goes out; hertz. */
const NOTES = { received: [660, 880], sent: [740, 590] } as const
export type Tone = keyof typeof NOTES

const NOTE_S = 0.09
const VOLUME = 0.06
const QUIET = 0.0001
let context: AudioContext | undefined

/** Plays a tone of ours, without a file; nothing before the first click or key on the page, which browsers forbid. */
export function playTone(tone: Tone): void {
  if (!navigator.userActivation.hasBeenActive) return
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

/** Does something in one tab of the shop where all want to do it at the same time. */
export async function inOneTab(work: () => void, holdMs: number): Promise<void> {
  // The types promise what only secure pages have.
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return work()
  await locks.request(LOCK, { ifAvailable: true }, async lock => {
    if (!lock) return
    work()
    await new Promise(resolve => setTimeout(resolve, holdMs))
  })
}
