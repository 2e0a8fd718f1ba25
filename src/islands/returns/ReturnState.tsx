import { useState } from 'react'
import { PostalAddress } from '#components/orders/PostalAddress.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import { Field } from '#components/ui/Field.tsx'
import { PicturePicker } from '#components/ui/PicturePicker.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { TRACKING_LENGTH } from '#contract/parcels.ts'
import { RETURN_REASONS, type Return } from '#contract/returns.ts'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { describeReturn, PICTURES_HINT, type ReturnAction, takesPictures } from '#lib/returns/returns.ts'
import { addPictures, moveReturn } from '#stores/returns/returns.ts'
import { ReturnPictures } from './ReturnPictures.tsx'

const LABELS: Record<ReturnAction, string> = {
  withdrawReturn: 'Withdraw the request',
  escalateReturn: 'Ask us to decide',
  sendReturnBack: 'I have sent it back',
}

/** One cancellation or return: what it is about, what happens next, and what the customer can do. */
export function ReturnState({ item, onSuccess }: { item: Return; onSuccess: () => void }) {
  const [busy, setBusy] = useState<ReturnAction | null>(null)
  const [tracking, setTracking] = useState('')
  const [pictures, setPictures] = useState<File[]>([])
  const [isSending, setSending] = useState(false)
  const { label, next, actions } = describeReturn(item)

  async function runAction(action: ReturnAction) {
    if (busy) return
    setBusy(action)
    try {
      if (await moveReturn(action, item.id, tracking.trim())) onSuccess()
    } finally {
      setBusy(null)
    }
  }

  async function sendPictures() {
    if (isSending) return
    setSending(true)
    try {
      if (!(await addPictures(item.id, pictures))) return
      setPictures([])
      onSuccess()
    } finally {
      setSending(false)
    }
  }

  return (
    <li className="space-y-2 py-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 break-words font-medium">
          {item.kind === 'return' ? 'Return' : 'Cancellation'} of{' '}
          {item.lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
        </p>
        <StatusBadge text={label} tone={item.status === 'refunded' ? 'good' : 'plain'} />
      </div>
      <p>{next}</p>
      {item.sendTo && <PostalAddress lines={[item.shopName, ...item.sendTo]} />}
      <p className="break-words text-sm text-muted">
        {item.shopName} · {RETURN_REASONS[item.reason]}
        {item.tracking && ` · Tracking number ${item.tracking}`}
      </p>
      <ReturnPictures pictures={item.pictures} />
      {takesPictures(item) && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent hover:underline">
            Add pictures
          </summary>
          <div className="space-y-3">
            <PicturePicker
              label="Pictures of what is wrong"
              files={pictures}
              most={MAX_RETURN_PICTURES - item.pictures.length}
              hint={PICTURES_HINT}
              onChange={setPictures}
            />
            {pictures.length > 0 && (
              <BusyButton type="button" isBusy={isSending} className="button-quiet" onClick={() => void sendPictures()}>
                Send the pictures
              </BusyButton>
            )}
          </div>
        </details>
      )}
      {actions.includes('sendReturnBack') && (
        <Field
          name={`tracking-${item.id}`}
          label="Tracking number (optional)"
          aria-required={undefined}
          maxLength={TRACKING_LENGTH}
          value={tracking}
          onChange={({ target }) => setTracking(target.value)}
        />
      )}
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {actions.map(action => (
            <BusyButton
              key={action}
              type="button"
              isBusy={busy === action}
              className={action === 'withdrawReturn' ? 'button-quiet' : undefined}
              onClick={() => void runAction(action)}
            >
              {LABELS[action]}
            </BusyButton>
          ))}
        </div>
      )}
    </li>
  )
}
