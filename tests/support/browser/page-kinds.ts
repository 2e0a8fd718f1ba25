import { demoId } from '#server/operators/demo/rows.ts'

export interface PageKind {
  name: string
  path: string
  heading: string
  status?: number
}

export const PRODUCT = '/product/details/elbe-over-ear-headphones'
export const STORE = `/stores/tonehaus/${demoId('shop', 'tonehaus')}`

/** The pages that Lighthouse tests. */
export const LIGHTHOUSE_PAGES = {
  home: '/',
  listing: '/products',
  product: PRODUCT,
  store: STORE,
  policy: '/return-refund-policy',
}

/** One URL per kind of page in the demo marketplace. */
export const PAGE_KINDS: PageKind[] = [
  { name: 'home', path: '/', heading: 'Piazza, the market square online' },
  { name: 'all products', path: '/products', heading: 'All products' },
  { name: 'a category as a list', path: '/products?category=Audio&layout=list', heading: 'Audio' },
  { name: 'a filtered list', path: '/products?category=Audio&rating=4&highPrice=200', heading: 'Audio' },
  { name: 'a list filtered by size', path: '/products?category=Shoes&option.size=43&brand=Soleway', heading: 'Shoes' },
  { name: 'a search', path: '/products/search?value=lantern', heading: 'Results for “lantern”' },
  { name: 'a search without results', path: '/products/search?value=zzzzzz', heading: 'Results for “zzzzzz”' },
  { name: 'a product', path: PRODUCT, heading: 'Elbe Over-Ear Headphones' },
  { name: 'the reviews of a product', path: `${PRODUCT}?reviews=2`, heading: 'Elbe Over-Ear Headphones' },
  { name: 'a missing product', path: '/product/details/nothing-here', heading: 'Product Not Available', status: 404 },
  { name: 'all categories', path: '/categories', heading: 'All categories' },
  { name: 'stores', path: '/stores', heading: 'Official stores' },
  { name: 'a store', path: STORE, heading: 'Tonehaus' },
  { name: 'a missing store', path: '/stores/nobody/nothing', heading: 'Store Not Available', status: 404 },
  { name: 'about us', path: '/about-us', heading: 'About us' },
  { name: 'privacy policy', path: '/privacy-policy', heading: 'Privacy policy' },
  { name: 'return and refund policy', path: '/return-refund-policy', heading: 'Return and refund policy' },
  { name: 'terms and conditions', path: '/terms-and-conditions', heading: 'Terms and conditions' },
  { name: 'login', path: '/login', heading: 'Log in' },
  { name: 'register', path: '/register', heading: 'Register' },
  { name: 'a forgotten password', path: '/forgotpassword', heading: 'Reset password' },
  { name: 'a new password', path: '/resetpassword?token=x', heading: 'New password' },
  { name: 'a confirmed address', path: '/confirm-email', heading: 'Your email address' },
  { name: 'an order of a mailed link', path: '/track-order', heading: 'Your order' },
  { name: 'the end of emails', path: '/end-alerts', heading: 'Your emails' },
  { name: 'nothing', path: '/no/such/page', heading: 'This stall is not here', status: 404 },
]
