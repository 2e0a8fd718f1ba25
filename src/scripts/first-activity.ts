import { readCurrency } from '#lib/currency.ts'
import { whenIdle } from '#lib/idle.ts'

/**
 * Events that show that somebody uses the page, or that another tab has changed something. Not `scroll`, because the
 * browser itself scrolls restored pages.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'change', 'storage']

/**
 * Loads the code for the shopper's own data (country, currency, viewed products) at the first activity on the page, so
 * that it does not delay the page. If the country is known, loads it as soon as the browser is idle.
 */
export function followShopper(): void {
  const load = (sign?: unknown) =>
    void import('./shopper.ts').then(shopper => shopper.meet(sign)).catch(() => undefined)
  for (const sign of SIGNS) addEventListener(sign, load, { once: true, passive: true })
  if (readCurrency()?.country) whenIdle(load)
}
