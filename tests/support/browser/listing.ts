import type { Page } from 'playwright/test'

/** The number of products that a listing says it has, on whichever page. */
export async function shownTotal(page: Page): Promise<number> {
  const text = await page
    .getByRole('main')
    .getByText(/^[\d,]+ products?$/)
    .innerText()
  return Number(text.replace(/\D/g, ''))
}
