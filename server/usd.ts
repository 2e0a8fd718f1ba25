const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** An exact amount as people read it, such as $1,250.00. */
export function dollars(cents: number): string {
  return USD.format(cents / 100)
}

/** As `dollars`, of any currency that a payment provider knows. */
export function amountIn(currency: string, cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}
