import { discountedCents } from '#contract/rules.ts'
import { shownCurrency, showPrices } from '#lib/currency.ts'
import { discountText } from '#lib/catalogue/discount.ts'
import type { BuyBoxVariant } from '#lib/catalogue/packed-variants.ts'
import { element } from '../elements.ts'
import { showFirstPicture, showPicture } from './main-picture.ts'

/**
 * Shows one of a product's variants in the parts of its page outside the buy box: address, price and picture. A variant
 * without a picture shows the product's first one if others have their own.
 */
export function showVariant(
  { _id, priceCents, discount, image, lowestCents }: BuyBoxVariant,
  variants: BuyBoxVariant[],
): void {
  const address = new URL(location.href)
  address.searchParams.set('variant', _id)
  history.replaceState(history.state, '', address)
  showLowest(lowestCents)
  showPrice(priceCents, discount)
  if (image) showPicture(image)
  else if (variants.some(each => each.image)) showFirstPicture()
  void import('./swipe.ts').then(
    ({ revealShown }) => revealShown(),
    () => undefined,
  )
}

function showLowest(cents: number | undefined): void {
  const note = document.querySelector<HTMLElement>('[data-lowest]')
  const price = note?.querySelector<HTMLElement>('[data-usd]')
  if (!note || !price) return
  note.hidden = cents === undefined
  price.dataset.usd = String(cents ?? 0)
}

function showPrice(priceCents: number, discount: number): void {
  const paidCents = discountedCents({ priceCents, discount })
  const shown = document.querySelector<HTMLElement>('[data-price] [data-usd]')
  if (shown?.dataset.usd !== String(paidCents))
    document
      .querySelector('[data-price-status]')
      ?.replaceChildren('Price: ', element('span', { 'data-usd': String(paidCents) }))
  for (const price of document.querySelectorAll('[data-price]')) {
    const [paid, before] = price.querySelectorAll<HTMLElement>('[data-usd]')
    const [, ...reduction] = price.children as Iterable<HTMLElement>
    const percent = reduction.at(-1)
    if (!paid || !before || !percent) continue
    paid.dataset.usd = String(paidCents)
    before.dataset.usd = String(priceCents)
    for (const part of reduction) part.hidden = paidCents === priceCents
    percent.textContent = discountText({ priceCents, discount })
    percent.hidden = percent.textContent === ''
  }
  showPrices(shownCurrency())
}
