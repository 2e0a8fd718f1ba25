import type { CSSProperties } from 'react'
import { fullAndHalfStars, shownRating } from '#lib/catalogue/stars.ts'

/** `Stars.astro` for islands. */
export function RatingText({ rating }: { rating: number }) {
  if (rating < 1) return <p className="text-sm text-muted">No rating</p>
  return (
    <p className="flex items-center text-sm text-muted">
      <span className="sr-only">{`Rated ${shownRating(rating)} out of 5`}</span>
      <span
        aria-hidden="true"
        className="stars"
        style={{ '--filled': `${fullAndHalfStars(rating) * 20}%` } as CSSProperties}
      />
    </p>
  )
}
