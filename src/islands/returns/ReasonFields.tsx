import { REASONS_OF, RETURN_REASONS, type ReturnKind, type ReturnReason } from '#contract/returns.ts'
import { RETURN_WORDS_LENGTH } from '#contract/rules.ts'
import { POSTAGE } from '#lib/returns/returns.ts'

/** What the customer has entered; an empty reason is not chosen yet. */
export type Draft = { reason: ReturnReason | ''; words: string }

interface Props {
  kind: ReturnKind
  draft: Draft
  error: string | undefined
  onChange: (change: Partial<Draft>) => void
}

/** The id of the field that holds the reason. */
export const REASON = 'return-reason'

/** Why products are cancelled or returned: a reason to choose, and words. */
export function ReasonFields({ kind, draft, error, onChange }: Props) {
  return (
    <>
      <div>
        <label htmlFor={REASON} className="mb-1 block font-semibold">
          Reason
        </label>
        <select
          id={REASON}
          name={REASON}
          value={draft.reason}
          onChange={({ target }) => onChange({ reason: target.value as ReturnReason })}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${REASON}-note` : undefined}
          className="field"
        >
          <option value="">Choose a reason</option>
          {REASONS_OF[kind].map(each => (
            <option key={each} value={each}>
              {RETURN_REASONS[each]}
            </option>
          ))}
        </select>
        <p id={`${REASON}-note`} className="pt-1 text-sm font-medium text-bad">
          {error}
        </p>
        {kind === 'return' && draft.reason && <p className="text-sm text-muted">{POSTAGE[draft.reason]}</p>}
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
          value={draft.words}
          onChange={({ target }) => onChange({ words: target.value })}
          className="field min-h-20"
        />
      </div>
    </>
  )
}
