import { useEffect, useState } from 'react'

/**
 * Whether the customer has asked to be told when the variant is back; without `variantId`, the product. False until it
 * is loaded, which only happens while `isOffered`.
 */
export function useAlert(isOffered: boolean, productId: string, variantId: string | undefined): boolean {
  const [isSet, setIsSet] = useState(false)

  useEffect(() => {
    if (!isOffered) return undefined
    let stop: (() => void) | undefined
    let isOver = false
    async function follow() {
      const { followAlert } = await import('#stores/cart/alerts.ts')
      if (!isOver) stop = followAlert({ productId, variantId }, setIsSet)
    }
    // Offline, the button still adds the alert.
    follow().catch(() => undefined)
    return () => {
      isOver = true
      stop?.()
    }
  }, [isOffered, productId, variantId])

  return isOffered && isSet
}
