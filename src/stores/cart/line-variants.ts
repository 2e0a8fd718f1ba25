import type { Variant } from '#contract/variants.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { toast } from '../ui/toasts.ts'

/** The variants that a line can have; null if they cannot be loaded, which a toast shows. */
export async function loadVariants(productId: string): Promise<Variant[] | null> {
  try {
    return (await client.api.getProduct({ id: productId })).product.variants
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.message)
    return null
  }
}
