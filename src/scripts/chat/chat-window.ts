/** List and conversation are side by side if this matches; not on phones in landscape. Same query as in chat.css. */
const WIDE = '(min-width: 768px) and (min-height: 501px)'

/** Whether list and conversation stand side by side. */
export function isWide(): boolean {
  return matchMedia(WIDE).matches
}

/** Runs `work` when the window becomes wide or narrow. Returns a function that stops it. */
export function onWidth(work: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', work)
  return () => query.removeEventListener('change', work)
}

/** On phones, fits the conversation's height to the space above the keyboard. Returns a function that stops it. */
export function fitAboveKeyboard(): () => void {
  const view = window.visualViewport
  const { style } = document.documentElement
  const fit = () => {
    style.setProperty('--chat-height', `${view?.height ?? innerHeight}px`)
    // Browsers scroll the page to reveal the focused field, which is already visible.
    if (!isWide()) scrollTo(0, 0)
  }
  view?.addEventListener('resize', fit)
  return () => {
    view?.removeEventListener('resize', fit)
    style.removeProperty('--chat-height')
  }
}
