import { PRODUCT, STORE } from './page-kinds.ts'

/** What arrives before any click, in bytes as they travel: compressed, with headers. */
export interface Budget {
  html: number
  style: number
  script: number
  font: number
  image: number
  /** Answers of the API among them; pictures are not. */
  requests: number
}

export interface PageBudget extends Budget {
  name: string
  path: string
}

const FONT = 15_000
const STYLE = 12_000

/** A phone's first view of each kind of page, by a visitor with an empty cache. */
export const VISITOR_BUDGETS: PageBudget[] = [
  { name: 'home', path: '/', html: 20_000, style: STYLE, script: 28_000, font: FONT, image: 241_000, requests: 7 },
  {
    name: 'listing',
    path: '/products',
    html: 14_500,
    style: STYLE,
    script: 7000,
    font: FONT,
    image: 99_000,
    requests: 6,
  },
  {
    name: 'search',
    path: '/products/search?value=lantern',
    html: 12_000,
    style: STYLE,
    script: 7000,
    font: FONT,
    image: 33_000,
    requests: 6,
  },
  {
    name: 'product',
    path: PRODUCT,
    html: 19_000,
    style: STYLE,
    script: 28_000,
    font: FONT,
    image: 72_000,
    requests: 8,
  },
  { name: 'stores', path: '/stores', html: 10_500, style: STYLE, script: 7000, font: FONT, image: 26_000, requests: 6 },
  { name: 'store', path: STORE, html: 12_000, style: STYLE, script: 7000, font: FONT, image: 81_000, requests: 6 },
  {
    name: 'policy',
    path: '/return-refund-policy',
    html: 8_500,
    style: STYLE,
    script: 7000,
    font: FONT,
    image: 0,
    requests: 6,
  },
  { name: 'login', path: '/login', html: 10_500, style: STYLE, script: 107_500, font: FONT, image: 0, requests: 22 },
]

/** The same for a customer who is signed in. */
export const CUSTOMER_BUDGETS: PageBudget[] = [
  { name: 'home', path: '/', html: 20_000, style: STYLE, script: 55_000, font: FONT, image: 241_000, requests: 12 },
  {
    name: 'listing',
    path: '/products',
    html: 14_500,
    style: STYLE,
    script: 32_000,
    font: FONT,
    image: 99_000,
    requests: 10,
  },
  {
    name: 'product',
    path: PRODUCT,
    html: 19_000,
    style: STYLE,
    script: 55_000,
    font: FONT,
    image: 72_000,
    requests: 12,
  },
  { name: 'cart', path: '/cart', html: 10_500, style: STYLE, script: 132_500, font: FONT, image: 0, requests: 33 },
  {
    name: 'dashboard',
    path: '/dashboard',
    html: 10_500,
    style: STYLE,
    script: 127_500,
    font: FONT,
    image: 0,
    requests: 33,
  },
  {
    name: 'orders',
    path: '/dashboard/my-orders',
    html: 10_500,
    style: STYLE,
    script: 127_000,
    font: FONT,
    image: 0,
    requests: 32,
  },
  {
    name: 'notifications',
    path: '/dashboard/notifications',
    html: 10_500,
    style: STYLE,
    script: 127_000,
    font: FONT,
    image: 0,
    requests: 30,
  },
  {
    name: 'chat',
    path: '/dashboard/chat',
    html: 10_500,
    style: STYLE + 2000,
    script: 137_500,
    font: FONT,
    image: 0,
    requests: 35,
  },
]
