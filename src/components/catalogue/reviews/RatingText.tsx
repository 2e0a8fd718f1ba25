import { Star } from './Star.tsx'

/** A rating as text, for islands, which cannot use `Stars.astro`. */
export function RatingText({ rating }: { rating: number }) {
  if (rating < 1) return <p className="text-sm text-muted">No rating</p>
  const shown = Math.round(rating * 10) / 10
  return (
    <p className="flex items-center gap-1 text-sm text-muted">
      <Star className="size-4 text-star" />
      <span className="sr-only">Rated </span>
      {shown}
      <span className="sr-only"> out of 5</span>
    </p>
  )
}
