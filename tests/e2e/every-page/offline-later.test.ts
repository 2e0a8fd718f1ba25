import { orderPath } from '#contract/page-urls.ts'
import { bubble, chat, mark, write } from '#tests/support/browser/chat-page.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { button, clicks, test } from '#tests/support/browser/offline.ts'
import { orderKite, payWith } from '#tests/support/browser/ordering-pages.ts'
import { market } from '#tests/support/provider/market.ts'
import { sellerOf } from '#tests/support/provider/shopkeeper.ts'

const CARD = '4242 4242 4242 4242'

test.describe('offline, after the order, every button that sends something says so:', { tag: '@desktop' }, () => {
  test('on orders that are unpaid, sent or delivered', async ({ page, shop, customer, expectMessages }) => {
    const unpaid = await orderKite(page, customer)
    await page.goto(orderPath(unpaid))
    const dialog = page.getByRole('dialog')
    await button(page, 'Cancel order').click()
    await expectMessages([...clicks(dialog, 'Cancel order'), ...clicks(page, 'End these links')])

    await page.goto(`/payment?order=${unpaid}`)
    await payWith(page, CARD)
    await expect(page).toHaveURL('/dashboard')
    await market(shop, 'order', 'ship', unpaid)
    await page.goto(orderPath(unpaid))
    await expect(button(page, 'I have received it')).toBeVisible()
    await expectMessages(clicks(page, 'I have received it', 'Order again'))

    await market(shop, 'order', 'deliver', unpaid)
    await page.goto(orderPath(unpaid))
    await button(page, 'Return products of Toy Town').click()
    await dialog.getByRole('combobox', { name: /kite/i }).selectOption('1')
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
    await dialog.getByRole('textbox').fill('The string is torn.')
    await expectMessages(clicks(dialog, 'Request the return'))
    await expect(dialog.getByRole('textbox')).toHaveValue('The string is torn.')
    await button(dialog, 'Request the return').click()
    await expect(page.getByText('Asked the shop')).toBeVisible()
    await expectMessages(clicks(page, 'Withdraw the request'))
  })

  test('in a conversation', async ({ page, customer, expectMessages }) => {
    expect(customer.name).toBe('Ada Lovelace')
    await page.goto(chat(await sellerOf(page, 'kite')))
    await write(page, 'Is it there in blue?')
    const mine = bubble(page, 'Is it there in blue?')
    await expect(mark(mine)).toHaveAttribute('data-mark', 'sent')
    await mine.getByRole('button', { name: /^Message options/ }).click()

    await expectMessages([['Delete', () => page.getByRole('menuitem', { name: 'Delete' }).click()]])

    await expect(mine).toBeVisible()
  })
})
