/**
 * Runs in the head of every page, as text: lets a phone paint the page in the font that an earlier one has fetched
 * (`font.ts`). Nothing from outside of this function is there when it runs.
 */
export function useKeptFont(): void {
  try {
    const font = document.querySelector<HTMLLinkElement>('link[as=font]')
    if (!font || localStorage.getItem('font') !== font.href) return
    document.documentElement.dataset.font = ''
    font.media = ''
  } catch {
    return
  }
}
