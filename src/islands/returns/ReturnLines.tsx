import type { AvailablePart } from '#contract/returns.ts'
import type { FieldErrors } from '#lib/form.ts'
import { formatExact } from '#lib/format.ts'

interface Props {
  lines: AvailablePart['lines']
  quantities: Record<string, number>
  /** By the name of the line's field. */
  errors: FieldErrors
  onChange: (lineId: string, quantity: number) => void
}

const MAX_UNITS_OFFERED = 99

/** How many of each line go back. An error stands below its line. */
export function ReturnLines({ lines, quantities, errors, onChange }: Props) {
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 font-semibold">How many of each?</legend>
      {lines.map(({ lineId, name, quantity, unitCents }) => {
        const field = lineField(lineId)
        const error = errors[field]
        return (
          <div key={lineId}>
            <div className="flex items-center justify-between gap-3 large-text:flex-wrap">
              <label htmlFor={field} className="min-w-0 break-words">
                {name}
                <span className="block text-sm text-muted">{formatExact(unitCents)} each</span>
              </label>
              <select
                id={field}
                name={field}
                value={quantities[lineId] ?? 0}
                onChange={({ target }) => onChange(lineId, Number(target.value))}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? `${field}-note` : undefined}
                className="field w-24 max-w-full shrink-0"
              >
                {Array.from({ length: Math.min(quantity, MAX_UNITS_OFFERED) + 1 }, (_, count) => (
                  <option key={count}>{count}</option>
                ))}
              </select>
            </div>
            {error && (
              <p id={`${field}-note`} className="pt-1 text-sm font-medium text-bad">
                {error}
              </p>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

/** The name of a line's field. */
export function lineField(lineId: string): string {
  return `return-${lineId}`
}
