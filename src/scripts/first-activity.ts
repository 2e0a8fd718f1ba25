import { readCurrency } from '#lib/currency.ts'
import { whenIdle } from '#lib/idle.ts'

/**
 * Events that show that somebody uses the page, or that another tab has changed something. Not `scroll`, because the
 * browser itself scrolls restored pages; `pointercancel` begins a scroll by finger. Not `pointerdown`: a browser is
 * idle until the finger is lifted, and loading then would delay what the click does.
 */
const SIGNS = ['click', 'pointercancel', 'keydown', 'wheel', 'change', 'storage']

/**
 * Loads the code for the shopper's own data (country, currency, viewed products) after the first activity on the page,
 * once the browser is idle, so that it delays neither the page nor the effect of a touch. If the country is known, does
 * not wait for any activity.
 */
export function followShopper(): void {
  const load = (sign?: Event) =>
    whenIdle(() => void import('./shopper.ts').then(shopper => shopper.startShopper(sign)).catch(() => undefined))
  for (const sign of SIGNS) addEventListener(sign, load, { once: true, passive: true, capture: true })
  if (readCurrency()?.country) load()
}
