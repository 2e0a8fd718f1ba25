import { useRef, useState } from 'react'
import { Dialog } from '#components/ui/Dialog.tsx'
import { PicturePicker } from '#components/ui/PicturePicker.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { AvailablePart } from '#contract/returns.ts'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { ApiError } from '#lib/api.ts'
import { type FieldErrors, focusFirst } from '#lib/form.ts'
import { newKey } from '#lib/key.ts'
import { PICTURES_HINT, refundPreview } from '#lib/returns/returns.ts'
import { $customerId } from '#stores/accounts/session.ts'
import { requestReturn } from '#stores/returns/returns.ts'
import { useDraft } from '../ui/use-draft.ts'
import { type Draft, REASON, ReasonFields } from './ReasonFields.tsx'
import { lineField, ReturnLines } from './ReturnLines.tsx'

interface Props {
  orderId: string
  part: AvailablePart
  onClose: () => void
}

const NOTHING: Draft = { reason: '', words: '' }

/** Asks which products of a shop's part are cancelled or returned, and why. */
export function ReturnForm({ orderId, part, onClose }: Props) {
  const { kind, shopName, sellerOrderId } = part
  const form = useRef<HTMLFormElement>(null)
  const [quantities, setQuantities] = useState<Record<string, number>>(() => onlyUnit(part))
  // The session may end while the form is open.
  const [customerId] = useState(() => $customerId.get() ?? '')
  const { draft, changeDraft, clearDraft } = useDraft(`${kind}:${sellerOrderId}`, customerId, NOTHING)
  const { reason, words } = draft
  const [pictures, setPictures] = useState<File[]>([])
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  // Sent again after a lost response, so that the same request is not done twice.
  const [key] = useState(newKey)
  const isReturn = kind === 'return'
  const lines = Object.entries(quantities).flatMap(([lineId, quantity]) => (quantity > 0 ? [{ lineId, quantity }] : []))

  /** Shows the errors beside their fields, and moves the focus to the first. */
  function showErrors(found: FieldErrors) {
    setErrors(found)
    // Once the errors are shown, so that a screen reader reads them with the field.
    if (form.current) setTimeout(focusFirst, 0, form.current, found)
  }

  async function sendRequest() {
    if (isBusy) return
    const [first] = part.lines
    const found: FieldErrors = {
      ...(lines.length === 0 && first && { [lineField(first.lineId)]: 'Choose at least one product' }),
      ...(reason === '' && { [REASON]: 'Choose a reason' }),
    }
    if (lines.length === 0 || reason === '') return showErrors(found)
    setErrors({})
    setBusy(true)
    try {
      await requestReturn({ orderId, sellerOrderId, kind, reason, words: words.trim(), lines, key }, pictures)
      clearDraft()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showErrors(errorsOf(error, lines))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      id="return-title"
      title={`${isReturn ? 'Return' : 'Cancel'} products of ${shopName}`}
      isBusy={isBusy}
      onClose={onClose}
    >
      <form
        ref={form}
        noValidate
        className="mt-4 space-y-4"
        onSubmit={event => {
          event.preventDefault()
          void sendRequest()
        }}
      >
        <ReturnLines
          lines={part.lines}
          quantities={quantities}
          errors={errors}
          onChange={(lineId, quantity) => {
            setQuantities({ ...quantities, [lineId]: quantity })
            setErrors({ [REASON]: errors[REASON] })
          }}
        />
        <ReasonFields
          kind={kind}
          draft={draft}
          error={errors[REASON]}
          onChange={change => {
            changeDraft(change)
            if (change.reason !== undefined) setErrors({ ...errors, [REASON]: undefined })
          }}
        />
        {isReturn && (
          <PicturePicker
            label="Pictures (optional)"
            files={pictures}
            most={MAX_RETURN_PICTURES}
            hint={PICTURES_HINT}
            onChange={setPictures}
          />
        )}
        <p className="text-sm text-muted">{refundPreview(part, quantities)}</p>
        <p role="alert" className="text-sm font-medium text-bad">
          {errors.form}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" aria-disabled={isBusy} onClick={() => isBusy || onClose()} className="button-quiet">
            Close
          </button>
          <BusyButton isBusy={isBusy} aria-disabled={isBusy}>
            {isReturn ? 'Request the return' : part.isImmediate ? 'Cancel these' : 'Ask to cancel'}
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}

/** Preselects the only unit that can be chosen, if there is only one. */
function onlyUnit({ lines }: AvailablePart): Record<string, number> {
  const [line] = lines
  return line && lines.length === 1 && line.quantity === 1 ? { [line.lineId]: 1 } : {}
}

/** The provider's errors by the names of the form's fields; `form` for what belongs to none. */
function errorsOf({ message, fields = {} }: ApiError, lines: { lineId: string }[]): FieldErrors {
  const found: FieldErrors = {}
  for (const [path, text] of Object.entries(fields)) {
    const line = lines[Number(/^lines\.(\d+)\./.exec(path)?.[1] ?? -1)]
    found[line ? lineField(line.lineId) : path === 'reason' ? REASON : 'form'] = text
  }
  return Object.keys(found).length > 0 ? found : { form: message }
}
