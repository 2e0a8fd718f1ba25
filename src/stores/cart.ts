import { atom } from 'nanostores'

/** Units of all lines in the cart. */
export const $cartCount = atom(0)
