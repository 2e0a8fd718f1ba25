const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats an amount for people: $1,250.00. */
export function dollars(cents: number): string {
  return USD.format(cents / 100)
}

/** Formats an amount for files and forms: 1250.00. */
export function plainDollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Like `dollars`, for any currency code. */
export function amountIn(currency: string, cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}
