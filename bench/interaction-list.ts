import type { Locator, Page } from 'playwright'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

export interface Action {
  name: string
  path: string
  /** The only width at which the control is there. */
  onlyAt?: number
  before?: (page: Page) => Promise<void>
  target: (page: Page) => Locator
  /** An expression that changes, and is true, once the page shows the effect. */
  effect: string
}

export interface Visit {
  name: string
  path: string
  isForVisitors?: boolean
  link: (page: Page) => Locator
  /** What the next page has to show; by default, its largest paint. */
  shown?: string
}

const form = (page: Page) => page.getByRole('form', { name: /^Buy / })
const cartCount = `document.querySelector('[data-count=cart]')?.textContent`
const chat = '/dashboard/chat'
const MESSAGE = 'Is it there in blue?'

export const ACTIONS: Action[] = [
  {
    name: 'add to cart',
    path: PRODUCT,
    target: page => form(page).getByRole('button', { name: 'Add to cart' }),
    effect: `document.querySelector('[data-add]')?.ariaBusy === 'true' || ${cartCount}`,
  },
  {
    name: 'quick add',
    path: '/products?category=Toys+%26+Games',
    target: page => page.getByRole('main').locator('[data-add-to-cart]').first(),
    effect: `document.querySelector('main [data-add-to-cart]')?.ariaBusy === 'true' || ${cartCount}`,
  },
  {
    name: 'heart of a card',
    path: '/products',
    target: page => page.getByRole('main').locator('[data-add-to-wishlist]').first(),
    effect: `'is ' + document.querySelector('main [data-add-to-wishlist]').hasAttribute('data-saved')`,
  },
  {
    name: 'heart of a product',
    path: PRODUCT,
    target: page => page.locator('[data-wish]').first(),
    effect: `'is ' + document.querySelector('[data-wish]').hasAttribute('data-saved')`,
  },
  {
    name: 'stepper, first touch',
    path: PRODUCT,
    target: page => form(page).getByRole('button', { name: 'Increase quantity' }),
    effect: `document.querySelector('output[aria-label=Quantity]').textContent`,
  },
  {
    name: 'stepper, second touch',
    path: PRODUCT,
    before: async page => {
      await form(page).getByRole('button', { name: 'Increase quantity' }).click()
      await page.waitForTimeout(1000)
    },
    target: page => form(page).getByRole('button', { name: 'Increase quantity' }),
    effect: `document.querySelector('output[aria-label=Quantity]').textContent`,
  },
  {
    name: 'option',
    path: PRODUCT,
    target: page => form(page).getByRole('radio', { name: 'Graphite' }),
    effect: `document.querySelector('[data-buy-box] :checked').value`,
  },
  {
    name: 'option, its stock and picture',
    path: PRODUCT,
    target: page => form(page).getByRole('radio', { name: 'Graphite' }),
    effect: `document.querySelector('[data-buy-box]').dataset.variant`,
  },
  {
    name: 'gallery',
    path: PRODUCT,
    target: page => page.locator('[data-view]').nth(1),
    effect: `document.querySelector('[data-main]').href`,
  },
  {
    name: 'tab',
    path: PRODUCT,
    target: page => page.getByRole('tab', { name: /Reviews/ }),
    effect: `document.querySelector('[data-tabs]').dataset.open`,
  },
  {
    name: 'sheet of filters',
    path: '/products',
    onlyAt: 390,
    target: page => page.getByRole('button', { name: 'Filter items' }),
    effect: `document.querySelector('#filters').matches(':popover-open')`,
  },
  {
    name: 'send a message',
    path: chat,
    before: async page => {
      const conversation = page.getByRole('link', { name: /Soleway/ })
      if ((await page.getByRole('textbox', { name: 'Message', exact: true }).count()) === 0) await conversation.click()
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill(MESSAGE)
    },
    target: page => page.getByRole('button', { name: 'Send', exact: true }),
    effect: `document.querySelectorAll('[aria-label="Chat history"] li').length`,
  },
]

/** Selector of a link from a product to another. */
export const NEXT_PRODUCT = 'aside a[href^="/product/details/"]'

export const VISITS: Visit[] = [
  {
    name: 'a conversation, from a product',
    path: '/product/details/cirrus-running-shoes',
    link: page => form(page).getByRole('link', { name: 'Chat seller' }),
    shown: '[aria-label="Chat history"] li',
  },
  {
    name: 'product to product, prefetched',
    path: PRODUCT,
    isForVisitors: true,
    link: page => page.locator(NEXT_PRODUCT).first(),
  },
]
