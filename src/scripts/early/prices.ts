import { readToken } from '#lib/accounts/storage.ts'
import { CURRENCY_KEY, VISITOR_CURRENCY_KEY } from '#lib/currency.ts'

/**
 * Marks a customer's page, so that styles reserve space, and converts prices while the page arrives, so that none is
 * painted in dollars first.
 */
export function convertWhileParsing(): void {
  try {
    const isCustomer = readToken()
    if (isCustomer) document.documentElement.dataset.customer = ''
    const stored = localStorage.getItem(isCustomer ? CURRENCY_KEY : VISITOR_CURRENCY_KEY)
    if (!stored) return
    const { currency, rate } = JSON.parse(stored) as { currency: string; rate: number }
    // The HTML is in dollars. A page's first formatter costs a phone 100 ms.
    if (currency === 'USD') return
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
