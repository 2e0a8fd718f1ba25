import { atom } from 'nanostores'

export const $wishlistCount = atom(0)
