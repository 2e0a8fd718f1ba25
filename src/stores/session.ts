import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import { AUTH_TOKEN, CUSTOMER_TOKEN, decodeCustomer } from '#lib/storage.ts'

export const $authToken = persistentAtom<string | undefined>(AUTH_TOKEN)
export const $customerToken = persistentAtom<string | undefined>(CUSTOMER_TOKEN)

/** Who is signed in on this browser, as far as its stored token tells; follows other tabs. */
export const $customer = computed([$authToken, $customerToken], (auth, customer) => decodeCustomer(auth || customer))
