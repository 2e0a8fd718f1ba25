/** As long as any other failure is shown (`constants.ts`, which visitors do not load). */
const SHOWN_MS = 4000
const LOOK = 'card fixed inset-x-4 bottom-4 z-50 mx-auto w-fit max-w-md border-edge px-5 py-3 font-medium'

/** An island dispatches this when somebody uses it and its code cannot be had. */
export const PART_MISSING = 'part-missing'

/** Says that a part of the page could not be fetched; in the page itself, as what draws messages may be missing too. */
export function sayUnavailable(): void {
  const note = document.createElement('p')
  note.setAttribute('role', 'alert')
  note.className = LOOK
  note.textContent = 'The market cannot be reached right now. Please try again in a moment.'
  document.body.append(note)
  setTimeout(() => note.remove(), SHOWN_MS)
}

/** What `loading` gives; the page says so when it fails, and it rejects all the same. */
export async function orSayUnavailable<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading
  } catch (error) {
    sayUnavailable()
    throw error
  }
}
