/** The rating rounded down to half a star: 4.6 becomes 4.5, 4.4 becomes 4. */
export function fullAndHalfStars(rating: number): number {
  return Math.floor(Math.min(Math.max(rating, 0), 5) * 2) / 2
}
