import { STARS } from '#contract/rules.ts'
import { Star } from './Star.tsx'

interface Props {
  /** 1 to 5, or 0 if none is chosen yet. */
  rating: number
  onChange: (rating: number) => void
  isDisabled: boolean
  error?: string | undefined
}

const ONE_FIRST = STARS.toReversed()

/** Five radio buttons that look like stars. */
export function StarInput({ rating, onChange, isDisabled, error }: Props) {
  return (
    <fieldset aria-describedby="rating-note" aria-invalid={error ? true : undefined}>
      <legend className="mb-1 font-semibold">Your rating</legend>
      <div className="-ml-2 flex flex-wrap">
        {ONE_FIRST.map(star => (
          <label
            key={star}
            data-filled={star <= rating}
            className="inline-flex size-11 cursor-pointer items-center justify-center rounded-control text-edge hover:text-star has-[:focus-visible]:outline has-[:focus-visible]:outline-[3px] has-[:focus-visible]:outline-accent data-[filled=true]:text-star forced-colors:data-[filled=true]:text-[color:Highlight]"
          >
            <input
              type="radio"
              name="rating"
              value={star}
              checked={star === rating}
              aria-disabled={isDisabled}
              onChange={() => !isDisabled && onChange(star)}
              aria-label={`${star} ${star === 1 ? 'star' : 'stars'}`}
              className="sr-only"
            />
            <Star isFilled={star <= rating} className="size-7" />
          </label>
        ))}
      </div>
      <p id="rating-note" aria-live="polite" className="min-h-7 pt-1.5 text-sm font-medium text-bad">
        {error}
      </p>
    </fieldset>
  )
}
