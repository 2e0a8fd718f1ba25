import type { NewOrder } from '#contract/orders.ts'
import type { Tx } from '../db/types.ts'
import type { cartLines } from '../db/schema.ts'
import { readChoices, soleVariant } from '../catalogue/choosing.ts'
import type { WantedLine } from './pricing.ts'

type CartLine = Pick<typeof cartLines.$inferSelect, 'id' | 'productId' | 'variantId'>

/**
 * The variant that each line of a request orders: the one it names, else that of its cart line, else the product's only
 * one. Throws as `soleVariant` does when the product has several.
 */
export async function chooseVariants(tx: Tx, { groups }: NewOrder, cart: readonly CartLine[]): Promise<WantedLine[]> {
  const inCart = (lineId: string | undefined, productId: string) =>
    cart.find(line => line.id === lineId && line.productId === productId)?.variantId
  const lines = groups.flatMap(({ products }, group) =>
    products.map(({ _id, quantity, productInfo, variantId }, at) => ({
      productId: productInfo._id,
      variantId: variantId || inCart(_id, productInfo._id) || '',
      quantity,
      path: `products.${group}.products.${at}`,
    })),
  )
  const open = lines.filter(({ variantId }) => variantId === '').map(({ productId }) => productId)
  if (open.length === 0) return lines
  const choices = await readChoices(tx, open)
  return lines.map(line => (line.variantId ? line : { ...line, variantId: soleVariant(choices.get(line.productId)) }))
}
