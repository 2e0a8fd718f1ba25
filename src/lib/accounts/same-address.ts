import type { Account } from '#contract/account.ts'

type Details = Account['shippingDetails']

export function isSameAddress(address: Details, other: Details | undefined): boolean {
  return (Object.keys(address) as (keyof Details)[]).every(name => address[name] === other?.[name])
}
