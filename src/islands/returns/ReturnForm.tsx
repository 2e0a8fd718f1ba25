import { useState } from 'react'
import { Dialog } from '#components/ui/Dialog.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { type AvailablePart, REASONS_OF, RETURN_REASONS, type ReturnReason } from '#contract/returns.ts'
import { RETURN_WORDS_LENGTH } from '#contract/rules.ts'
import { ApiError } from '#lib/api.ts'
import { formatExact } from '#lib/format.ts'
import { requestReturn } from '#stores/returns/returns.ts'

interface Props {
  orderId: string
  part: AvailablePart
  onClose: () => void
}

/** More than anybody sends back of one line. */
const MOST = 99

type Errors = Partial<Record<'lines' | 'reason' | 'form', string | undefined>>

/** Asks which products of a shop's part are cancelled or returned, and why. */
export function ReturnForm({ orderId, part, onClose }: Props) {
  const { kind, shopName, sellerOrderId } = part
  const [quantities, setQuantities] = useState<Record<string, number>>({})
  const [reason, setReason] = useState<ReturnReason | ''>('')
  const [words, setWords] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const isReturn = kind === 'return'
  const lines = Object.entries(quantities).flatMap(([lineId, quantity]) => (quantity > 0 ? [{ lineId, quantity }] : []))
  const backCents = part.lines.reduce((sum, line) => sum + (quantities[line.lineId] ?? 0) * line.unitCents, 0)

  async function send() {
    if (isBusy) return
    const found: Errors = {
      ...(lines.length === 0 && { lines: 'Choose at least one product' }),
      ...(reason === '' && { reason: 'Choose a reason' }),
    }
    setErrors(found)
    if (lines.length === 0 || reason === '') return
    setBusy(true)
    try {
      await requestReturn({ orderId, sellerOrderId, kind, reason, words: words.trim(), lines })
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors({ form: error.message, ...error.fields })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog id="return-title" title={`${isReturn ? 'Return' : 'Cancel'} products of ${shopName}`} onClose={onClose}>
      <form
        noValidate
        className="mt-4 space-y-4"
        onSubmit={event => {
          event.preventDefault()
          void send()
        }}
      >
        <fieldset aria-describedby="return-lines-note" className="space-y-3">
          <legend className="mb-1 font-semibold">How many of each?</legend>
          {part.lines.map(({ lineId, name, quantity, unitCents }) => (
            <div key={lineId} className="flex items-center justify-between gap-3">
              <label htmlFor={`return-${lineId}`} className="min-w-0 break-words">
                {name}
                <span className="block text-sm text-muted">{formatExact(unitCents)} each</span>
              </label>
              <select
                id={`return-${lineId}`}
                value={quantities[lineId] ?? 0}
                onChange={({ target }) => {
                  setQuantities({ ...quantities, [lineId]: Number(target.value) })
                  setErrors({ ...errors, lines: undefined })
                }}
                className="field w-24 shrink-0"
              >
                {Array.from({ length: Math.min(quantity, MOST) + 1 }, (_, count) => (
                  <option key={count}>{count}</option>
                ))}
              </select>
            </div>
          ))}
          <p id="return-lines-note" role="alert" className="text-sm font-medium text-bad">
            {errors.lines}
          </p>
        </fieldset>
        <div>
          <label htmlFor="return-reason" className="mb-1 block font-semibold">
            Reason
          </label>
          <select
            id="return-reason"
            value={reason}
            onChange={({ target }) => {
              setReason(target.value as ReturnReason)
              setErrors({ ...errors, reason: undefined })
            }}
            aria-invalid={errors.reason ? true : undefined}
            aria-describedby="return-reason-note"
            className="field"
          >
            <option value="">Choose a reason</option>
            {REASONS_OF[kind].map(each => (
              <option key={each} value={each}>
                {RETURN_REASONS[each]}
              </option>
            ))}
          </select>
          <p id="return-reason-note" role="alert" className="pt-1 text-sm font-medium text-bad">
            {errors.reason}
          </p>
        </div>
        <div>
          <label htmlFor="return-words" className="mb-1 block font-semibold">
            Anything else? (optional)
          </label>
          <textarea
            id="return-words"
            rows={3}
            dir="auto"
            maxLength={RETURN_WORDS_LENGTH}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            className="field min-h-20"
          />
        </div>
        <p className="text-sm text-muted">
          {backCents > 0 && `${formatExact(backCents)} go back to you. `}
          Shipping goes back when everything of this shop does.
        </p>
        <p role="alert" className="text-sm font-medium text-bad">
          {errors.form}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" onClick={onClose} className="button-quiet">
            Close
          </button>
          <BusyButton isBusy={isBusy} aria-disabled={isBusy}>
            {isReturn ? 'Ask for the return' : 'Cancel these'}
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}
