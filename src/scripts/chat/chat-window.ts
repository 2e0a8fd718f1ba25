/** From here on list and conversation stand side by side, also not on a phone that lies; chat.css says the same. */
const WIDE = '(min-width: 768px) and (min-height: 501px)'

/** Whether list and conversation stand side by side. */
export function isWide(): boolean {
  return matchMedia(WIDE).matches
}

/** Runs `work` when the window becomes wide, or narrow; answers how to stop. */
export function onWidth(work: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', work)
  return () => query.removeEventListener('change', work)
}

/** Keeps a conversation on a phone as high as what the keyboard leaves of the window; answers how to stop. */
export function fitAboveKeyboard(): () => void {
  const view = window.visualViewport
  const { style } = document.documentElement
  const fit = () => {
    style.setProperty('--chat-height', `${view?.height ?? innerHeight}px`)
    // Browsers push the page up to show the field, which is in sight already.
    if (!isWide()) scrollTo(0, 0)
  }
  view?.addEventListener('resize', fit)
  return () => {
    view?.removeEventListener('resize', fit)
    style.removeProperty('--chat-height')
  }
}
