import { BusyButton } from '#components/ui/Spinner.tsx'
import type { CartLine } from '#contract/cart.ts'
import { nameOf } from '#lib/cart/cart-line.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { moveToWishlist } from '#stores/cart/move-to-wishlist.ts'
import { useOnce } from '../ui/use-once.ts'
import { LineFrame } from './LineFrame.tsx'
import { LineVariant } from './LineVariant.tsx'

/** A line of which no unit is left, or whose product is no longer sold. */
export function SoldOutRow({ line, onRemove }: { line: CartLine; onRemove: () => void }) {
  const [busy, once] = useOnce<'move'>()

  async function move() {
    if (await moveToWishlist(line)) focusContent()
  }

  return (
    <LineFrame
      line={line}
      isGrey
      onRemove={onRemove}
      details={line.isGone ? <p className="text-sm text-muted">{line.variant?.title}</p> : <LineVariant line={line} />}
    >
      {!line.isGone && (
        <BusyButton
          type="button"
          isBusy={busy.has('move')}
          aria-label={`Move to wishlist: ${nameOf(line)}`}
          onClick={() => void once('move', move)}
          className="button-quiet mt-1 px-4 text-sm"
        >
          Move to wishlist
        </BusyButton>
      )}
    </LineFrame>
  )
}
