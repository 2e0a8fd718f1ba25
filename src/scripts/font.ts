/** Fetches the shop's font into the browser's cache and notes it in storage; phones use it from the next page on. */
export async function keepFont(): Promise<void> {
  const href = document.querySelector<HTMLLinkElement>('link[as=font]')?.href
  try {
    if (!href || localStorage.getItem('font') === href) return
    if (!hasArrived(href)) {
      const answer = await fetch(href)
      if (!answer.ok) return
      await answer.arrayBuffer()
    }
    localStorage.setItem('font', href)
  } catch {
    // The network failed or storage is forbidden: pages look nearly the same without the font.
    return
  }
}

/** Whether this page has already loaded it, as wide screens do. */
function hasArrived(href: string): boolean {
  return performance
    .getEntriesByName(href)
    .some(entry => entry instanceof PerformanceResourceTiming && entry.decodedBodySize > 0)
}
