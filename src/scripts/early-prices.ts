/**
 * Runs in the head of every page, as text: marks a customer's page, for styles that keep room for what comes, and writes
 * its prices in their currency while it is still arriving, so that none is painted in dollars first. Nothing from outside of this function is there when it runs.
 */
export function convertWhileParsing(): void {
  try {
    if (!localStorage.getItem('authToken') && !localStorage.getItem('customerToken')) return
    document.documentElement.dataset.customer = ''
    const kept = localStorage.getItem('currency')
    if (!kept) return
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
