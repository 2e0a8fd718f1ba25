import { readCurrency } from '#lib/currency.ts'
import { whenIdle } from '#lib/idle.ts'

/**
 * What somebody who looks at a page does sooner or later, and what another tab says. A page that is scrolled back by the
 * browser shows nobody.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'change', 'storage']

/**
 * Loads what is the shopper's own (country, currency, products viewed before) when the shopper first moves: no page waits
 * for it. A shopper whose country is known gets it earlier.
 */
export function followShopper(): void {
  const load = (sign?: unknown) =>
    void import('./shopper.ts').then(shopper => shopper.meet(sign)).catch(() => undefined)
  for (const sign of SIGNS) addEventListener(sign, load, { once: true, passive: true })
  if (readCurrency()?.country) whenIdle(load)
}
