import type { AccountForm } from '#contract/account.ts'

export const ACCOUNT: AccountForm = {
  country: 'Kenya',
  currency: 'EUR',
  shippingDetails: {
    name: 'Ada Lovelace',
    address: '12 Analytical Lane',
    phone: '+254 700 000000',
    postal: '00100',
    // Kenya's addresses have neither.
    province: '-',
    city: 'Nairobi',
    area: '-',
    country: 'Kenya',
  },
}
