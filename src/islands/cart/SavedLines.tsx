import { BusyButton } from '#components/ui/Spinner.tsx'
import type { CartLine } from '#contract/cart.ts'
import { isSoldOut, nameOf, needsChoice, pathOf, unitCents } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { moveToCart, removeSavedLine } from '#stores/cart/saved-lines.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { useOnce } from '../ui/use-once.ts'
import { LineFrame } from './LineFrame.tsx'

/** The lines that the customer has saved for later. */
export function SavedLines({ lines }: { lines: CartLine[] }) {
  return (
    <section aria-labelledby="saved-for-later" className="card px-4 py-2 sm:px-5">
      <h2 id="saved-for-later" className="border-b border-line py-3 font-bold">
        Saved for later {lines.length}
      </h2>
      <ul className="divide-y divide-line">
        {lines.map(line => (
          <SavedRow key={line._id} line={line} />
        ))}
      </ul>
    </section>
  )
}

function SavedRow({ line }: { line: CartLine }) {
  const { _id, quantity, isGone } = line
  const [busy, once] = useOnce<'move' | 'remove'>()
  const text = line.variant?.title

  async function leave(call: (savedId: string) => Promise<boolean>) {
    if (await call(_id)) focusContent()
  }

  return (
    <LineFrame
      line={line}
      isGrey={isSoldOut(line)}
      details={text && <p className="break-words text-sm">{text}</p>}
      onRemove={() => void once('remove', () => leave(removeSavedLine))}
    >
      {!isGone && (
        <p className="text-sm text-muted">
          Quantity {quantity}, <span className="tabular-nums">{formatExact(unitCents(line))} each</span>
        </p>
      )}
      {needsChoice(line) && (
        <a href={pathOf(line)} className="button-quiet mt-1 px-4 text-sm">
          Choose options
        </a>
      )}
      {!isSoldOut(line) && !needsChoice(line) && (
        <BusyButton
          type="button"
          isBusy={busy.has('move')}
          aria-label={`Move to cart: ${nameOf(line)}`}
          onClick={() => void once('move', () => leave(moveToCart))}
          className="button-quiet mt-1 px-4 text-sm"
        >
          Move to cart
        </BusyButton>
      )}
    </LineFrame>
  )
}
