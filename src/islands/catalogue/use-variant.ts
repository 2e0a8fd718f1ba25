import { useLayoutEffect, useState } from 'react'
import { OPTION_FIELDS } from '#components/catalogue/OptionPicker.tsx'
import type { BuyBoxProduct } from '#lib/catalogue/load-product.ts'
import { type BuyBoxVariant, unpackVariants } from '#lib/catalogue/packed-variants.ts'
import { choose, chooseAll, firstChoice } from '#lib/catalogue/variants.ts'
import { liveStock, onLiveStock, unitsOf } from '#page-scripts/catalogue/availability.ts'
import { showVariant } from '#page-scripts/catalogue/shown-variant.ts'

/**
 * The variant that a product's page shows, with the live stock. `askedId` is the variant named by the page's address,
 * if any. `chosenId` is the variant that the shopper has chosen, or else `askedId`. `isOut`: the shown variant is known
 * to be sold out. `isAlertOffered`: it cannot be bought now, but the shopper can ask to be notified when it is back.
 */
export function useVariant(product: BuyBoxProduct, askedId: string | undefined) {
  const [stored] = useState(() => (product.variants ? unpackVariants(product.variants) : []))
  const [chosenId, setChosenId] = useState(askedId)
  // The page's script has written the live stock into the HTML, but not into the options.
  const [live, setLive] = useState(liveStock)
  const [isHydrated, setIsHydrated] = useState(false)
  const [chosenValues] = useState(valuesInPage)
  const variants = live && isHydrated ? stored.map(each => ({ ...each, stock: unitsOf(live, each._id) })) : stored
  // What was shown at first stays, even if it has been sold out since.
  const shownId = chosenId ?? firstChoice(stored)?._id
  const variant = variants.find(({ _id }) => _id === shownId)
  const stock = live ? unitsOf(live, shownId) : (variant?.stock ?? product.stock)

  // Not a plain effect, which may run after the next click: 'Add to cart' would then add the variant shown at first.
  useLayoutEffect(() => {
    setIsHydrated(true)
    const next = variant && chooseAll(variants, variant, chosenValues)
    if (next && next !== variant) show(next)
    return onLiveStock(setLive)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only once.
  }, [])

  function show(next: BuyBoxVariant) {
    setChosenId(next._id)
    showVariant(next, stored)
  }

  function pick(name: string, value: string) {
    if (variant) show(choose(variants, variant, name, value))
  }

  // With options, only once the live stock is known: a plain form may send another variant than the one shown.
  const isOut = stock === 0 && (!variant || live !== undefined)

  // Before hydration, the page has to equal the server's HTML.
  const isAlertOffered = isHydrated ? isOut : product.stock === 0 && !variant

  return { variants, variant, chosenId, stock, isOut, isAlertOffered, isHydrated, pick }
}

/** The option values that the shopper has chosen before hydration, which resets selects. */
function valuesInPage(): string[] {
  const form = globalThis.document?.querySelector<HTMLFormElement>('[data-buy-box]')
  const data = form && new FormData(form)
  return data ? OPTION_FIELDS.flatMap(field => data.getAll(field).map(String)) : []
}
