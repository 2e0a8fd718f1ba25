import { PRODUCT, STORE } from './page-kinds.ts'

/** Transfer sizes before any click, in bytes: compressed, with headers. Second requests are compressed harder. */
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

/** Each kind of page on a phone, for a visitor with an empty cache. */
export const VISITOR_BUDGETS: PageBudget[] = [
  { name: 'home', path: '/', html: 35_500, style: STYLE, script: 27_300, font: FONT, image: 241_000, requests: 6 },
  {
    name: 'listing',
    path: '/products',
    html: 31_100,
    style: STYLE,
    script: 6500,
    font: FONT,
    image: 99_000,
    requests: 5,
  },
  {
    name: 'search',
    path: '/products/search?value=lantern',
    html: 29_250,
    style: STYLE,
    script: 6500,
    font: FONT,
    image: 82_000,
    requests: 5,
  },
  {
    name: 'product',
    path: PRODUCT,
    html: 33_000,
    style: STYLE,
    script: 27_900,
    font: FONT,
    image: 72_000,
    requests: 7,
  },
  {
    name: 'categories',
    path: '/categories',
    html: 18_000,
    style: STYLE,
    script: 6500,
    font: FONT,
    image: 80_000,
    requests: 5,
  },
  { name: 'stores', path: '/stores', html: 18_000, style: STYLE, script: 6500, font: FONT, image: 26_000, requests: 5 },
  { name: 'store', path: STORE, html: 23_000, style: STYLE, script: 6500, font: FONT, image: 81_000, requests: 5 },
  {
    name: 'policy',
    path: '/return-refund-policy',
    html: 15_700,
    style: STYLE,
    script: 6500,
    font: FONT,
    image: 0,
    requests: 5,
  },
  { name: 'login', path: '/login', html: 17_550, style: STYLE, script: 104_900, font: FONT, image: 0, requests: 21 },
]

/** The same for a signed-in customer. */
export const CUSTOMER_BUDGETS: PageBudget[] = [
  { name: 'home', path: '/', html: 35_500, style: STYLE, script: 49_900, font: FONT, image: 241_000, requests: 15 },
  {
    name: 'listing',
    path: '/products',
    html: 31_100,
    style: STYLE,
    script: 29_500,
    font: FONT,
    image: 99_000,
    requests: 13,
  },
  {
    name: 'product',
    path: PRODUCT,
    html: 33_000,
    style: STYLE,
    script: 50_800,
    font: FONT,
    image: 78_000,
    requests: 15,
  },
  { name: 'cart', path: '/cart', html: 21_100, style: STYLE, script: 139_900, font: FONT, image: 0, requests: 40 },
  {
    name: 'dashboard',
    path: '/dashboard',
    html: 19_500,
    style: STYLE,
    script: 134_550,
    font: FONT,
    image: 0,
    requests: 38,
  },
  {
    name: 'orders',
    path: '/dashboard/my-orders',
    html: 19_000,
    style: STYLE,
    script: 130_650,
    font: FONT,
    image: 0,
    requests: 34,
  },
  {
    name: 'notifications',
    path: '/dashboard/notifications',
    html: 19_000,
    style: STYLE,
    script: 128_750,
    font: FONT,
    image: 0,
    requests: 30,
  },
  {
    name: 'chat',
    path: '/dashboard/chat',
    html: 20_000,
    style: 2000,
    script: 140_850,
    font: FONT,
    image: 0,
    requests: 36,
  },
]
