import type { Locator, Page } from 'playwright/test'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import type { SignedUp } from '../accounts/customer.ts'

export const idOf = ({ token }: SignedUp) => decodeCustomer(token)?.id ?? ''
export const chat = (sellerId: string) => `/dashboard/chat/${sellerId}`
export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
export const list = (page: Page) => page.getByRole('region', { name: 'Chat history' })
export const bubble = (page: Page, text: string): Locator => list(page).getByRole('listitem').filter({ hasText: text })
/** The status mark of a message by the customer: `waiting`, `sent` or `seen`. */
export const mark = (of: Locator) => of.locator('[data-mark]')

export async function write(page: Page, text: string) {
  await field(page).fill(text)
  await field(page).press('Enter')
}
