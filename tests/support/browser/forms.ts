import { expect, type Page } from 'playwright/test'

export const toastOf = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text })
export const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
export const submit = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** Checks that the field is marked invalid and that its error is accessible. */
export async function expectWrong(page: Page, label: string, message: string) {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, label)).toHaveAccessibleDescription(message)
}

export async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
}

/** The fields' `autocomplete` values by field name, as password managers use them. */
export const autocompletes = (page: Page): Promise<Record<string, string>> =>
  page
    .getByRole('main')
    .locator('input')
    .evaluateAll(all =>
      Object.fromEntries(all.map(each => [each.getAttribute('name'), each.getAttribute('autocomplete')])),
    )
