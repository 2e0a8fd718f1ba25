/**
 * On phones, paints the page with the shop's font if an earlier page has cached it (`src/scripts/font.ts`).
 */
export function useCachedFont(): void {
  try {
    const font = document.querySelector<HTMLLinkElement>('link[as=font]')
    if (!font || localStorage.getItem('font') !== font.href) return
    document.documentElement.dataset.font = ''
    font.media = ''
  } catch {
    return
  }
}
