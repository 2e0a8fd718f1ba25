import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type APIRequestContext, expect, type Page } from 'playwright/test'
import { updateAccount } from '#contract/account.ts'
import * as contract from '#contract/auth.ts'
import type { AccountForm } from '#contract/account.ts'
import { askShop } from '#server/operators/cli/ask-shop.ts'
import { CURRENCY_KEY } from '#lib/currency.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { ACCOUNT } from './account.ts'
import { settled } from '../browser/settled.ts'
import { dataDirOf } from '../provider/shop.ts'

export interface SignedUp {
  name: string
  email: string
  password: string
  token: string
}

/** Registration data of a new customer. */
export function newcomer(name = 'Ada Lovelace'): Omit<SignedUp, 'token'> {
  return { name, email: `${randomUUID()}@piazza.example`, password: 'Correct-Horse-9' }
}

interface SignUpOptions {
  /** Whether to confirm the address. Only possible in shops that this run has started. */
  isConfirmed?: boolean
}

/** Registers a new customer. No browser is signed in if `request` does not belong to one. */
export async function register(
  request: APIRequestContext,
  name?: string,
  { isConfirmed = true }: SignUpOptions = {},
): Promise<SignedUp> {
  const form = newcomer(name)
  const answer = await request.post(`/api${contract.register.path}`, { data: form })
  expect(answer.status()).toBe(201)
  const { token } = (await answer.json()) as { token: string }
  const dataDir = dataDirOf(answer.url())
  if (isConfirmed && dataDir) await confirmAsOperator(dataDir, form.email)
  return { ...form, token }
}

/** Like `market user confirm`, but in this process. */
async function confirmAsOperator(dataDir: string, email: string): Promise<void> {
  const ignore = async () => undefined
  const streams = { input: Readable.from([]), out: ignore, err: ignore, isWatched: false }
  const order = { name: 'user confirm', email } as const
  expect(await askShop(dataDir, order, { ...streams, signal: AbortSignal.timeout(60_000) })).toBe(0)
}

/** Registers a customer and signs them in to the browser of `page`. Afterwards it shows a page of the shop. */
export async function signUp(page: Page, name?: string, options: SignUpOptions = {}): Promise<SignedUp> {
  // The response sets the refresh cookie in the browser.
  const customer = await register(page.request, name, options)
  const { token } = customer
  await page.goto('/favicon.svg')
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [CUSTOMER_TOKEN, token] as const)
  return customer
}

/** Saves the customer's account by API call. */
export async function saveAccount(page: Page, { token }: SignedUp, change: Partial<AccountForm> = {}): Promise<void> {
  await page.request.put(`/api${updateAccount.path}`, {
    data: { ...ACCOUNT, ...change },
    headers: { authorization: `Bearer ${token}` },
    failOnStatusCode: true,
    // After a long wait on a busy machine, the shop may just have closed the idle connection.
    maxRetries: 1,
  })
}

/** Logs out through the dashboard's menu. */
export async function logOut(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await hasAsked(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
}

/** Waits until the page has finished its idle requests for the customer: after a logout they would be rejected. */
export async function hasAsked(page: Page): Promise<void> {
  await page.waitForFunction(key => localStorage.getItem(key), CURRENCY_KEY)
  await settled(page)
}
