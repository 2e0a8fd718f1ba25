import { orderPath } from '#contract/page-urls.ts'
import { operate } from '#tests/support/browser/after-order.ts'
import { apiOf } from '#tests/support/browser/calls.ts'
import { bubble, chat, mark, write } from '#tests/support/browser/chat-page.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { button, clicks, test } from '#tests/support/browser/offline.ts'
import { orderKite, payWith } from '#tests/support/browser/ordering-pages.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { market } from '#tests/support/provider/market.ts'
import { sellerOf } from '#tests/support/provider/shopkeeper.ts'

const CARD = '4242 4242 4242 4242'

test.describe(
  'offline, after the order, every button that sends something says so:',
  { tag: ['@desktop', '@long'] },
  () => {
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
      await expect(dialog.getByRole('combobox', { name: /kite/i })).toHaveValue('1')
      await dialog.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
      await dialog.getByRole('textbox').fill('The string is torn.')
      await expectMessages(clicks(dialog, 'Request the return'))
      await expect(dialog.getByRole('textbox')).toHaveValue('The string is torn.')
      await button(dialog, 'Request the return').click()
      await expect(page.getByText('Asked the shop')).toBeVisible()
      await expectMessages(clicks(page, 'Withdraw the request'))
    })

    test('on a return', async ({ page, shop, customer, expectMessages }) => {
      const orderId = await orderKite(page, customer)
      await page.goto(`/payment?order=${orderId}`)
      await payWith(page, CARD)
      await expect(page).toHaveURL('/dashboard')
      await operate(shop, 'order', 'ship', orderId)
      await operate(shop, 'order', 'deliver', orderId)
      const api = apiOf(page, customer.token)
      const { kind, sellerOrderId, lines } = (await api.getReturns({ orderId })).available[0]!
      const { returnId } = await api.requestReturn({
        orderId,
        sellerOrderId,
        kind,
        reason: 'damaged',
        words: '',
        lines: [{ lineId: lines[0]!.lineId, quantity: 1 }],
        key: crypto.randomUUID(),
      })
      await operate(shop, 'return', 'approve', returnId)
      await page.goto(orderPath(orderId))
      const tracking = page.getByLabel('Tracking number (optional)')
      await tracking.fill('DHL 42')
      await page.getByText('Add pictures', { exact: true }).click()
      const picture = { name: 'torn.jpg', mimeType: 'image/jpeg', buffer: await photograph() }
      await page.getByLabel('Pictures of what is wrong').setInputFiles(picture)

      await expectMessages(clicks(page, 'Send the pictures', 'I have sent it back', 'Withdraw the request'))

      await expect(tracking).toHaveValue('DHL 42')
      await expect(page.getByRole('img', { name: 'torn.jpg' })).toBeVisible()
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
  },
)
