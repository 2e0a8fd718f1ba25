import { Spinner } from '#components/ui/Spinner.tsx'
import type { CartLine } from '#contract/cart.ts'
import { needsChoice, nameOf, shippingTo, unitCents } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { saveForLater } from '#stores/cart/saved-lines.ts'
import { useOnce } from '../ui/use-once.ts'
import { LineFrame } from './LineFrame.tsx'
import { LineQuantity } from './LineQuantity.tsx'
import { LineVariant } from './LineVariant.tsx'

interface Props {
  line: CartLine
  /** The country of delivery; '' if unknown: the line then does not mention shipping. */
  country: string
  onRemove: () => void
}

/** A line that can be bought, or could be with another quantity or variant. */
export function CartLineRow({ line, country, onRemove }: Props) {
  const [busy, once] = useOnce<'save'>()

  async function save() {
    if (await saveForLater(line._id)) focusContent()
  }

  return (
    <LineFrame
      line={line}
      onRemove={onRemove}
      details={
        <>
          <LineVariant line={line} />
          {country && <ShipsTo country={country} line={line} />}
        </>
      }
    >
      {!needsChoice(line) && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-1">
          <LineQuantity line={line} />
          <button
            type="button"
            aria-busy={busy.has('save')}
            aria-label={`Save for later: ${nameOf(line)}`}
            onClick={() => void once('save', save)}
            className="link order-last -mb-2 inline-flex min-h-11 w-full items-center gap-2 text-sm aria-busy:opacity-60 sm:order-none sm:mb-0 sm:w-auto"
          >
            {busy.has('save') && <Spinner />}
            Save for later
          </button>
          <LinePrice line={line} />
        </div>
      )}
    </LineFrame>
  )
}

function ShipsTo({ country, line: { product } }: { country: string; line: CartLine }) {
  const { ships, text } = shippingTo(country, product)
  return (
    <p
      data-ships={ships}
      className="inline-flex items-center rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold text-good data-[ships=false]:text-bad"
    >
      {text}
    </p>
  )
}

/** The line's sum, with the sum before the discount. */
function LinePrice({ line }: { line: CartLine }) {
  const { product, quantity } = line
  const cents = unitCents(line)
  return (
    <p className="ml-auto text-right tabular-nums">
      {cents < product.priceCents && (
        <s className="block text-sm text-muted sm:mr-2 sm:inline">
          <span className="sr-only">Before: </span>
          {formatExact(product.priceCents * quantity)}
        </s>
      )}
      <span className="text-lg font-bold">{formatExact(cents * quantity)}</span>
      {quantity > 1 && <span className="block text-sm text-muted">{formatExact(cents)} each</span>}
    </p>
  )
}
