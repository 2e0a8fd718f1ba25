/** The rating rounded down to half a star: 4.6 becomes 4.5, 4.4 becomes 4. */
export function fullAndHalfStars(rating: number): number {
  return Math.floor(Math.min(Math.max(rating, 0), 5) * 2) / 2
}

/** The rating rounded down to a tenth, like the stars and the filter '4 to 4.9': 4.48 is not 4.5 beside four stars. */
export function shownRating(rating: number): number {
  return Math.floor(rating * 10) / 10
}
