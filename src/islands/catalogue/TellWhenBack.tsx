import { useStore } from '@nanostores/react'
import { TELL_BUTTON, TELL_TEXT } from '#components/catalogue/buy-place.ts'
import { Icon } from '#components/ui/Icon.tsx'
import { Spinner } from '#components/ui/Spinner.tsx'
import { $alerts, addAlert, removeAlert } from '#stores/cart/alerts.ts'
import { useAction } from '../ui/use-action.ts'

interface Props {
  productId: string
  /** Undefined for a product without options. */
  variantId: string | undefined
  name: string
}

/** A customer's button of a sold-out product: sets the alert, or ends it. */
export function TellWhenBack({ productId, variantId, name }: Props) {
  const load = useStore($alerts)
  const alert = load.state === 'ready' ? load.alerts.find(isForThis) : undefined
  const { isBusy, run } = useAction(() => (alert ? removeAlert(alert._id) : addAlert({ productId, variantId, name })))

  function isForThis(each: { productId: string; variantId?: string | undefined }): boolean {
    return each.productId === productId && each.variantId !== undefined && (!variantId || each.variantId === variantId)
  }

  return (
    <button
      type="button"
      aria-pressed={alert !== undefined}
      aria-busy={isBusy}
      onClick={run}
      className={`${TELL_BUTTON} aria-busy:opacity-60`}
    >
      {isBusy ? <Spinner /> : alert && <Icon name="check" />}
      {TELL_TEXT}
    </button>
  )
}
