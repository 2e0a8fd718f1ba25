import { readToken } from '#lib/accounts/storage.ts'
import { CURRENCY_KEY } from '#lib/currency.ts'

/**
 * Marks a customer's page, so that styles reserve space, and converts prices while the page arrives, so that none is
 * painted in dollars first.
 */
export function convertWhileParsing(): void {
  try {
    if (!readToken()) return
    document.documentElement.dataset.customer = ''
    const kept = localStorage.getItem(CURRENCY_KEY)
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
