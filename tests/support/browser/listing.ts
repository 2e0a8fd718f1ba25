import type { Locator, Page } from 'playwright/test'

/** The total number of products that a listing shows, on any of its pages. */
export async function shownTotal(page: Page): Promise<number> {
  const text = await page
    .getByRole('main')
    .getByText(/^[\d,]+ products?$/)
    .innerText()
  return Number(text.replace(/\D/g, ''))
}

/** The button of the filters. It says how many products are left as soon as that is known. */
export function applyButton(page: Page): Locator {
  return page.getByRole('button', { name: /^(Apply filters|Show ([\d,]+ )?products?|No products)$/ })
}
