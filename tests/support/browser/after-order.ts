import { Readable } from 'node:stream'
import { expect, type Page } from 'playwright/test'
import { orderPath } from '#contract/page-urls.ts'
import { askShop } from '#server/operators/cli/ask-shop.ts'
import { defineMarket } from '#server/operators/cli/commands.ts'
import { photograph } from '../uploads/chat-files.ts'
import { productPage } from '../provider/toy-market.ts'
import { apiOf, idOf } from './calls.ts'
import { expectAccessible } from './e2e.ts'
import { confirmAddress, fillCart, payWith, signUpInKenya } from './ordering-pages.ts'
import { trackingLinkTo } from './tracking-link.ts'

const CARD = '4242 4242 4242 4242'

/**
 * From the cart to the review: buys of two shops, of which one sends two parcels, returns one product with a picture,
 * gets the money, opens the receipt, and writes a review with a picture.
 */
export async function walkAfterOrder(page: Page, shop: { dataDir: string }): Promise<void> {
  const { orderId, number, email } = await buy(page)
  const command = (...words: string[]) => operate(shop, ...words)
  await command('order', 'ship', orderId, '--shop', 'Soft Soles')
  await command(
    'order',
    'ship',
    orderId,
    '--shop',
    'Toy Town',
    '--items',
    'kite=1',
    '--carrier',
    'DHL',
    '--tracking',
    'D1',
  )
  await page.goto(orderPath(orderId))
  await expect(page.getByText('Partly shipped').first()).toBeVisible()
  await command('order', 'ship', orderId, '--shop', 'Toy Town')
  await command('order', 'deliver', orderId)

  const id = await returnKite(page, shop, number)
  await command('return', 'approve', id)
  await expect(returns(page).getByText('Approved', { exact: true })).toBeVisible()
  await expect(returns(page)).toContainText('1 Spinning Top Square')
  await expectAccessible(page)
  await page.goto(await trackingLinkTo(shop, email, 'Your return is approved'))
  const told = page.getByRole('list', { name: 'Cancellations and returns at Toy Town' }).getByRole('listitem')
  await expect(told).toHaveText([/^You asked Toy Town for a return/, /^Return to Toy Town approved/])
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See everything' }).click()
  const panel = returns(page)
  await panel.getByRole('textbox', { name: /Tracking number/ }).fill('DHL 42')
  await panel.getByRole('button', { name: 'I have sent it back' }).click()
  await expect(panel.getByText('Tracking number DHL 42')).toBeVisible()
  await expect(panel).toBeFocused()
  await command('return', 'received', id)
  await expect(async () => {
    await page.reload()
    await expect(panel.getByText('Refunded', { exact: true })).toBeVisible({ timeout: 10_000 })
    await expect(page.getByText('$10.50 refunded so far')).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Receipt', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('$10.50')
  await page.goto(orderPath(orderId))
  await expect(page.getByRole('link', { name: 'Red kite', exact: true }).first()).toHaveAttribute(
    'href',
    productPage('kite'),
  )
  await page.getByRole('link', { name: 'Write a review of Leather sandal' }).click()
  await expect(page).toHaveURL(`${productPage('sandal')}?write#reviews`)
  await expect(page.getByRole('radio', { name: '1 star' })).toBeFocused()
  await review(page)
}

async function buy(page: Page): Promise<{ orderId: string; number: string; email: string }> {
  const customer = await signUpInKenya(page)
  await fillCart(page, customer, { kite: 2 })
  const api = apiOf(page, customer.token)
  const { product } = await api.getProduct({ id: 'sandal' })
  const variantId = product.variants[0]!._id
  await api.addToCart({ userId: idOf(customer.token), productId: product._id, quantity: 1, variantId })
  await page.goto('/shipping')
  await confirmAddress(page)
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page).toHaveURL(/\/payment\?order=/)
  const orderId = new URL(page.url()).searchParams.get('order')!
  await payWith(page, CARD)
  await expect(page.getByText('Your order is paid')).toBeVisible()
  const { number } = (await api.getOrder({ orderId })).order
  return { orderId, number, email: customer.email }
}

/** Returns one of the kites with a picture; resolves with the return's id. */
async function returnKite(page: Page, shop: { dataDir: string }, number: string): Promise<string> {
  await page.reload()
  await returns(page).getByRole('button', { name: 'Return products of Toy Town' }).click()
  const form = page.getByRole('dialog')
  const kites = form.getByRole('combobox', { name: /kite/i })
  await form.getByRole('button', { name: 'Request the return' }).click()
  await expect(kites).toBeFocused()
  await expect(kites).toHaveAccessibleDescription('Choose at least one product')
  await kites.selectOption('2')
  await expect(form).toContainText('You get $26.00 back, including $5.00 for shipping.')
  await kites.selectOption('1')
  await expect(form).toContainText('You get $10.50 back. Shipping is refunded when')
  await form.getByRole('button', { name: 'Request the return' }).click()
  await expect(form.getByRole('combobox', { name: 'Reason' })).toBeFocused()
  await form.getByRole('combobox', { name: 'Reason' }).selectOption('It arrived damaged')
  await expect(form).toContainText('The shop pays for sending it back.')
  await form.getByRole('textbox').fill('The string is torn.')
  await form.getByLabel('Pictures (optional)').setInputFiles([await pictureNamed('torn.jpg')])
  await expect(form.getByRole('img', { name: 'torn.jpg' })).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Request the return' }).click()
  await expect(returns(page).getByText('Asked the shop')).toBeVisible()
  await expect(returns(page).getByRole('link', { name: 'Open picture torn.jpg' })).toBeVisible()
  const listed = (await operate(shop, 'return', 'list')).split('\n')
  return listed.find(line => line.includes(number))!.split(' ')[0]!
}

async function review(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Your review' })
  // The radio inputs are hidden behind the visible stars.
  await form
    .locator('label')
    .filter({ has: page.getByLabel('5 stars') })
    .click()
  await form.getByLabel('Your review').fill('They fit well.')
  await form.getByLabel('Pictures (optional)').setInputFiles([await pictureNamed('worn.jpg')])
  await expect(form.getByRole('img', { name: 'worn.jpg' })).toBeVisible()
  await form.getByRole('button', { name: 'Submit review' }).click()
  const list = page.getByRole('group', { name: /^Reviews, page/ })
  await expect(list).toContainText('They fit well.')
  // Without the toast, whose colours change while it fades in.
  await page.reload()
  const picture = list.getByRole('img', { name: /^Picture 1 of .* review$/ }).first()
  await expect(picture).toHaveJSProperty('naturalWidth', 240)
  await expectAccessible(page)
}

const pictureNamed = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photograph() })

const returns = (page: Page) => page.getByRole('region', { name: 'Cancel or return' })

/** Like `npm run market --`, but in this process: a process of its own would take seconds for each command. */
export async function operate({ dataDir }: { dataDir: string }, ...words: string[]): Promise<string> {
  let out = ''
  const note = async (text: string) => void (out += text)
  const streams = { input: Readable.from([]), out: note, err: note, isWatched: false }
  const none = () => Promise.reject(new Error('only commands of the running shop'))
  const sendCommand = async (command: Parameters<typeof askShop>[1]) =>
    expect(await askShop(dataDir, command, { ...streams, signal: AbortSignal.timeout(30_000) }), out).toBe(0)
  await defineMarket({ sendCommand, talk: none, restoreArchive: none, publish: none }).parseAsync(words, {
    from: 'user',
  })
  return out
}
