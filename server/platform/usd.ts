const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** An exact amount as people read it, such as $1,250.00. */
export function dollars(cents: number): string {
  return USD.format(cents / 100)
}

/** The same for files and forms, which have no signs in their amounts: 1250.00. */
export function plainDollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** As `dollars`, of any currency that a payment provider knows. */
export function amountIn(currency: string, cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}
