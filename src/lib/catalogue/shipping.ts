/** Where a product ships to for free, given its shipping in cents by country. */
export function freeShipping(prices: Record<string, number>): 'everywhere' | 'somewhere' | 'nowhere' {
  const cents = Object.values(prices)
  if (!cents.includes(0)) return 'nowhere'
  return cents.every(each => each === 0) ? 'everywhere' : 'somewhere'
}
