import { type RefObject, useEffect, useState } from 'react'
import { OPTION_FIELDS } from '#components/catalogue/OptionPicker.tsx'
import type { BuyBoxProduct, BuyBoxVariant } from '#lib/catalogue/load-product.ts'
import { choose, chooseAll, firstChoice } from '#lib/catalogue/variants.ts'
import { type LiveStock, onLiveStock, unitsOf } from '#page-scripts/catalogue/availability.ts'
import { showVariant } from '#page-scripts/catalogue/shown-variant.ts'

/**
 * The variant that a product's page shows, with the live stock. `askedId` is the one that the page's address names, if
 * any; `chosenId` is it too until the shopper has chosen another.
 */
export function useVariant(
  product: BuyBoxProduct,
  askedId: string | undefined,
  form: RefObject<HTMLFormElement | null>,
) {
  const { variants: stored = [] } = product
  const [live, setLive] = useState<LiveStock>()
  const [chosenId, setChosenId] = useState(askedId)
  const variants = stored.map(each => (live ? { ...each, stock: unitsOf(live, each._id) } : each))
  // What was shown at first stays, even if it has been sold out since.
  const shownId = chosenId ?? firstChoice(stored)?._id
  const variant = variants.find(({ _id }) => _id === shownId)

  useEffect(() => onLiveStock(setLive), [])
  useEffect(() => {
    // The shopper may have chosen before React came.
    if (!form.current || !variant) return
    const given = new FormData(form.current)
    const values = OPTION_FIELDS.flatMap(field => given.getAll(field).map(String))
    const next = chooseAll(variants, variant, values)
    if (next !== variant) show(next)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only what was chosen before counts.
  }, [])

  function show(next: BuyBoxVariant) {
    setChosenId(next._id)
    showVariant(next)
  }

  function pick(name: string, value: string) {
    if (variant) show(choose(variants, variant, name, value))
  }

  return { variants, variant, chosenId, stock: variant?.stock ?? live?.stock ?? product.stock, pick }
}
