/** How many stars are drawn full, with a half one when the fraction is at least .5: 4.6 is 4.5, 4.4 is 4. */
export function fullAndHalfStars(rating: number): number {
  return Math.floor(Math.min(Math.max(rating, 0), 5) * 2) / 2
}
