import { getReturns } from '#contract/returns.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect } from '#tests/support/browser/e2e.ts'
import { openPaidOrder, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const CODE = /_astro\/Returns\..*js/

test(
  'an order says that its returns could not be loaded, and shows them after another try',
  { tag: '@desktop' },
  async ({ page, faults }) => {
    faults.expect(/ERR_FAILED/)
    const region = page.getByRole('region', { name: 'Cancel or return' })
    const again = page.getByRole('button', { name: 'Try again' })
    const message = page.getByText('Cancellations and returns could not be loaded')
    await page.route(CODE, route => route.abort())
    await openPaidOrder(page, await signUpInKenya(page))
    await expect(message).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.unroute(CODE)
    await page.route(routeOf(getReturns), route => route.abort())

    const asked = page.waitForRequest(routeOf(getReturns))
    await again.click()
    await asked

    await expect(message).toBeVisible()
    await page.unroute(routeOf(getReturns))
    await again.click()
    await expect(region).toBeVisible()
    await expect(message).toBeHidden()
  },
)
