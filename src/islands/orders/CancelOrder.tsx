import { useState } from 'react'
import { Dialog } from '#components/ui/Dialog.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { cancelOrder } from '#stores/orders/order-actions.ts'
import { useOnce } from '../ui/use-once.ts'

/** A button that cancels the order after confirmation. */
export function CancelOrder({ orderId }: { orderId: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const [busy, once] = useOnce<'cancel'>()
  const cancel = () => once('cancel', () => cancelOrder(orderId).finally(() => setIsAsking(false)))

  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)} className="button-quiet">
        Cancel order
      </button>
      {isAsking && (
        <Dialog id="cancel" title="Cancel this order?" isBusy={busy.has('cancel')} onClose={() => setIsAsking(false)}>
          <p className="mt-2 text-muted">The shops will put everything back on their shelves. This cannot be undone.</p>
          <form method="dialog" className="mt-6 flex flex-wrap justify-end gap-3">
            <button aria-disabled={busy.has('cancel')} className="button-quiet">
              Keep order
            </button>
            <BusyButton type="button" isBusy={busy.has('cancel')} onClick={() => void cancel()}>
              Cancel order
            </BusyButton>
          </form>
        </Dialog>
      )}
    </>
  )
}
