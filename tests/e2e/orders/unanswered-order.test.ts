import { placeOrder } from '#contract/orders.ts'
import { faultOf, routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { submit } from '#tests/support/browser/forms.ts'
import { confirmAddress, fillCart, readOrders, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test(
  'an unanswered order is not sent again after the cart has changed, and can be replaced by a new one',
  { tag: '@phone' },
  async ({ page, faults }) => {
    faults.expect(faultOf('failed', placeOrder)).expect(/ERR_FAILED/)
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    await page.route(routeOf(placeOrder), route => route.abort(), { times: 1 })
    await submit(page, 'Place Order').click()
    await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible()
    await fillCart(page, customer, { ball: 1 })

    await page.goto('/shipping')

    await page.getByRole('button', { name: 'Start a new order' }).click()
    await expect(page.getByRole('heading', { name: 'Deliver to Ada Lovelace' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    expect(await readOrders(page, customer)).toEqual([])
  },
)
