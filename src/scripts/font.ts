/** Fetches the shop's font into the browser's cache and notes it in storage; phones use it from the next page on. */
export async function cacheFont(): Promise<void> {
  const href = document.querySelector<HTMLLinkElement>('link[as=font]')?.href
  try {
    if (!href || localStorage.getItem('font') === href) return
    const answer = await fetch(href)
    await answer.arrayBuffer()
    if (answer.ok) localStorage.setItem('font', href)
  } catch {
    // The network failed or storage is forbidden: pages look nearly the same without the font.
    return
  }
}
