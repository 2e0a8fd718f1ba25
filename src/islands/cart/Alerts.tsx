import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import { productPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import { lineName } from '#contract/variants.ts'
import type { Alert, WishlistItem } from '#contract/wishlist.ts'
import { formatExact } from '#lib/format.ts'
import { $alerts, addAlert, removeAlert } from '#stores/cart/alerts.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { useAction } from '../ui/use-action.ts'
import { PriceAlert } from './PriceAlert.tsx'

const quiet = 'button-quiet relative mt-1 w-full px-3 text-sm'

/** Buttons that set an alert for a saved product: when it is back in stock, or when it costs less. */
export function NewAlert({ item }: { item: WishlistItem }) {
  const { productId, name, stock, variantCount } = item
  const [isOpen, setIsOpen] = useState(false)
  const load = useStore($alerts, { ssr: 'initial' })
  const own = load.state === 'ready' ? load.value.filter(alert => alert.productId === productId) : []
  const { isBusy, run } = useAction(() => addAlert({ productId, name }))

  if (stock === 0 && variantCount === 1) {
    const isSet = own.some(({ variantId }) => variantId)
    return (
      <BusyButton
        type="button"
        isBusy={isBusy}
        // `disabled` would take the focus away.
        aria-disabled={isSet}
        onClick={isSet ? undefined : run}
        className={`${quiet} aria-disabled:cursor-not-allowed aria-disabled:opacity-60`}
      >
        {isSet ? 'We will tell you' : 'Tell me when it is back'}
        <span className="sr-only">: {name}</span>
      </BusyButton>
    )
  }
  const below = own.find(({ belowCents }) => belowCents !== undefined)?.belowCents
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className={quiet}>
        Tell me when it costs less{below !== undefined && ` than ${formatExact(below)}`}
        <span className="sr-only">: {name}</span>
      </button>
      {isOpen && <PriceAlert item={item} cents={below ?? discountedCents(item)} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** The customer's alerts, each with a button that ends it. Renders nothing if there are none. */
export function AlertList() {
  const load = useStore($alerts, { ssr: 'initial' })
  const id = useId()
  if (load.state !== 'ready' || load.value.length === 0) return null
  return (
    <section aria-labelledby={id} className="card mt-6 px-4 py-2 sm:px-5">
      <h2 id={id} className="pt-3 font-bold">
        Your alerts
      </h2>
      <p className="border-b border-line pb-3 text-sm text-muted">
        Each alert sends one notification and one email, then ends. Prices are compared in US dollars.
      </p>
      <ul className="divide-y divide-line">
        {load.value.map(alert => (
          <AlertRow key={alert._id} alert={alert} />
        ))}
      </ul>
    </section>
  )
}

function AlertRow({ alert }: { alert: Alert }) {
  const { _id, image, slug, variantId, title, belowCents, priceCents } = alert
  const name = lineName(alert.name, { title })
  const { isBusy, run } = useAction(async () => {
    if (await removeAlert(_id)) focusContent()
  })
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Thumbnail image={image || undefined} size={64} className="size-14 rounded-control bg-sunken object-cover" />
      <div className="min-w-0 flex-1 basis-40">
        <a
          href={productPath({ slug }, variantId)}
          dir="auto"
          className="line-clamp-2 break-words font-semibold hover:text-accent"
        >
          {name}
        </a>
        <p className="text-sm text-muted">
          {belowCents === undefined
            ? 'When it is back'
            : `Below ${formatExact(belowCents)}; now ${formatExact(priceCents)}`}
        </p>
      </div>
      <BusyButton type="button" isBusy={isBusy} onClick={run} className="button-quiet px-4 text-sm">
        End alert<span className="sr-only">: {name}</span>
      </BusyButton>
    </li>
  )
}
