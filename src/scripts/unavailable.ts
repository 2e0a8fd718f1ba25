/** The duration of an error toast, repeated here because visitors do not load `constants.ts`. */
const SHOWN_MS = 4000
const LOOK = 'card fixed inset-x-4 bottom-4 z-50 mx-auto w-fit max-w-md border-edge px-5 py-3'
const UNREACHABLE = 'The market cannot be reached. Please try again.'
/** The text of `lib/api.ts`, repeated here for the same reason. */
const OFFLINE = 'You are offline. Try again when you are back online.'

/** An island dispatches this event when a shopper uses it and its code cannot load. */
export const PART_MISSING = 'part-missing'

/**
 * Shows that a part of the page could not load, or another text. Built without the toaster, which may be missing too.
 */
export function sayUnavailable(text = navigator.onLine ? UNREACHABLE : OFFLINE): void {
  const note = document.createElement('p')
  note.role = 'alert'
  note.className = LOOK
  note.textContent = text
  document.body.append(note)
  setTimeout(() => note.remove(), SHOWN_MS)
}

/** Returns the promise's result. If it rejects, shows a message on the page and rethrows. */
export async function orSayUnavailable<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading
  } catch (error) {
    sayUnavailable()
    throw error
  }
}
