import { discountedCents } from '#contract/rules.ts'
import { keptCurrency, showPrices } from '#lib/currency.ts'
import { formatDiscount } from '#lib/format.ts'
import type { BuyBoxVariant } from '#lib/catalogue/load-product.ts'
import { showPicture } from './gallery.ts'

/** Shows a chosen variant in the parts of its page outside the buy box: address, price and picture. */
export function showVariant({ _id, priceCents, discount, image }: BuyBoxVariant): void {
  const address = new URL(location.href)
  address.searchParams.set('variant', _id)
  history.replaceState(history.state, '', address)
  showPrice(priceCents, discount)
  if (image) showPicture(image)
}

function showPrice(priceCents: number, discount: number): void {
  const price = document.querySelector('[data-price]')
  const [paid, before] = price?.querySelectorAll<HTMLElement>('[data-usd]') ?? []
  const [, ...reduction] = (price?.children ?? []) as Iterable<HTMLElement>
  const percent = reduction.at(-1)
  if (!paid || !before || !percent) return
  const paidCents = discountedCents({ priceCents, discount })
  paid.dataset.usd = String(paidCents)
  before.dataset.usd = String(priceCents)
  percent.textContent = formatDiscount(discount)
  for (const part of reduction) part.hidden = paidCents === priceCents
  showPrices(keptCurrency())
}
