import type { Locator, Page } from 'playwright/test'
import type { SignedUp } from '../accounts/customer.ts'
import { test as base } from '../provider/toy-shop.ts'
import { expect } from './e2e.ts'
import { signUpInKenya } from './ordering-pages.ts'
import { settled } from './settled.ts'

export const OFFLINE = 'You are offline. Try again when you are back online.'

/** Marks the messages of earlier clicks: they stay for seconds. */
const OLD = 'data-earlier'
const message = (page: Page) => page.locator(`:is([data-sonner-toast],[role=alert]):not([${OLD}])`).getByText(OFFLINE)

type Step = [name: string, act: () => Promise<unknown>]

/** A customer, and a check that takes the page offline and expects the message after each step. */
export const test = base.extend<{ customer: SignedUp; expectMessages: (steps: Step[]) => Promise<void> }>({
  customer: ({ page }, use) => signUpInKenya(page).then(use),
  async expectMessages({ page, context, faults }, use) {
    faults.allow(/ERR_INTERNET_DISCONNECTED/)
    await use(async steps => {
      await settled(page)
      await context.setOffline(true)
      for (const [name, act] of steps) {
        await message(page).evaluateAll((found, mark) => {
          for (const each of found) each.closest('[data-sonner-toast],[role=alert]')?.setAttribute(mark, '')
        }, OLD)
        await act()
        await expect(message(page).first(), name).toBeVisible()
      }
      await context.setOffline(false)
    })
  },
})

export const button = (inside: Page | Locator, name: string | RegExp) =>
  inside.getByRole('button', { name, exact: true })
/** Clicks the buttons with these names, one after the other. */
export const clicks = (inside: Page | Locator, ...names: string[]): Step[] =>
  names.map(name => [name, () => button(inside, name).click()])
