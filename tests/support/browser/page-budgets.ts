import { PRODUCT, STORE } from './page-kinds.ts'

/**
 * Transfer sizes before any click, in bytes: compressed, with headers. Second requests are compressed harder. A change
 * anywhere may add 30 bytes of script: the hashes in the names of its files are compressed differently.
 */
export interface Budget {
  html: number
  style: number
  script: number
  font: number
  image: number
  /** Includes API requests, but not pictures. */
  requests: number
}

export interface PageBudget extends Budget {
  name: string
  path: string
}

const FONT = 15_000
/** Pages inline their styles. This would be the stylesheet of the toasts. */
const STYLE = 0
const SHARED = { style: STYLE, font: FONT }
/** The second file of the font has letters of a review, which is laid out when the page is idle. */
const FONT_WITH_ACCENTS = 24_000

/** Each kind of page on a phone, for a visitor with an empty cache. */
export const VISITOR_BUDGETS: PageBudget[] = [
  { ...SHARED, name: 'home', path: '/', html: 35_500, script: 27_300, image: 241_000, requests: 6 },
  {
    ...SHARED,
    name: 'listing',
    path: '/products',
    html: 31_100,
    script: 6550,
    image: 99_000,
    requests: 5,
  },
  {
    ...SHARED,
    name: 'search',
    path: '/products/search?value=lantern',
    html: 29_250,
    script: 6550,
    image: 82_000,
    requests: 5,
  },
  {
    ...SHARED,
    name: 'product',
    path: PRODUCT,
    html: 33_000,
    font: FONT_WITH_ACCENTS,
    script: 28_050,
    image: 72_000,
    requests: 7,
  },
  {
    ...SHARED,
    name: 'categories',
    path: '/categories',
    html: 18_000,
    script: 6550,
    image: 80_000,
    requests: 5,
  },
  { ...SHARED, name: 'stores', path: '/stores', html: 18_000, script: 6550, image: 26_000, requests: 5 },
  { ...SHARED, name: 'store', path: STORE, html: 23_000, script: 6550, image: 81_000, requests: 5 },
  {
    ...SHARED,
    name: 'policy',
    path: '/return-refund-policy',
    html: 15_700,
    script: 6550,
    image: 0,
    requests: 5,
  },
  { ...SHARED, name: 'login', path: '/login', html: 17_550, script: 105_000, image: 0, requests: 21 },
]

/** The same for a signed-in customer. */
export const CUSTOMER_BUDGETS: PageBudget[] = [
  { ...SHARED, name: 'home', path: '/', html: 35_500, script: 49_250, image: 241_000, requests: 15 },
  {
    ...SHARED,
    name: 'listing',
    path: '/products',
    html: 31_100,
    script: 28_750,
    image: 99_000,
    requests: 13,
  },
  {
    ...SHARED,
    name: 'product',
    path: PRODUCT,
    html: 33_000,
    font: FONT_WITH_ACCENTS,
    script: 50_250,
    image: 78_000,
    requests: 15,
  },
  { ...SHARED, name: 'cart', path: '/cart', html: 21_100, script: 142_550, image: 0, requests: 40 },
  {
    ...SHARED,
    name: 'dashboard',
    path: '/dashboard',
    html: 19_500,
    script: 134_500,
    image: 0,
    requests: 38,
  },
  {
    ...SHARED,
    name: 'orders',
    path: '/dashboard/my-orders',
    html: 19_000,
    script: 130_300,
    image: 0,
    requests: 34,
  },
  {
    ...SHARED,
    name: 'notifications',
    path: '/dashboard/notifications',
    html: 19_000,
    script: 127_400,
    image: 0,
    requests: 30,
  },
  {
    ...SHARED,
    name: 'chat',
    path: '/dashboard/chat',
    html: 20_000,
    style: 2000,
    script: 140_050,
    image: 0,
    requests: 36,
  },
]
