/**
 * Runs in the head of every page, as text: writes the prices of a customer in their currency while the page is still
 * arriving, so that none is painted in dollars first. Nothing from outside of this function is there when it runs.
 */
export function convertWhileParsing(): void {
  try {
    const kept = localStorage.getItem('currency')
    if (!kept || !(localStorage.getItem('authToken') || localStorage.getItem('customerToken'))) return
    const { currency, rate } = JSON.parse(kept) as { currency: string; rate: number }
    const form = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
    const convert = () => {
      for (const price of document.querySelectorAll<HTMLElement>('[data-usd]')) {
        const text = form.format(Math.round((Number(price.dataset.usd) * rate) / 100))
        if (price.textContent !== text) price.textContent = text
      }
    }
    const arriving = new MutationObserver(convert)
    arriving.observe(document, { subtree: true, childList: true, characterData: true })
    addEventListener('DOMContentLoaded', () => {
      convert()
      arriving.disconnect()
    })
  } catch {
    return
  }
}
