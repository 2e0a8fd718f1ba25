import type { ChosenVariant } from '#contract/variants.ts'

/** Names a line's variant and its SKU. Nothing for a product without options and SKU. */
export function VariantText({ variant }: { variant: ChosenVariant | undefined }) {
  const { title, sku } = variant ?? {}
  if (!title && !sku) return null
  return (
    <p dir="auto" className="min-w-0 break-words text-sm text-muted">
      {title && <span className="font-medium text-ink">{title}</span>}
      {title && sku && ', '}
      {sku && `SKU ${sku}`}
    </p>
  )
}
