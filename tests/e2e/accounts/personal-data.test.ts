import { readFile } from 'node:fs/promises'
import { signUp } from '#tests/support/accounts/customer.ts'
import { unzip } from '#tests/support/uploads/unzip.ts'
import { axe, expect, overflowing } from '#tests/support/browser/e2e.ts'
import { expectWrong, fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test(
  'a customer downloads their data, once for a double click',
  { tag: ['@desktop', '@long'] },
  async ({ page, faults }) => {
    faults.expect(/^422 /).expect(/status of 422/)
    const { email, password } = await signUp(page)
    await page.goto('/dashboard/account')
    await submit(page, 'Download my data …').click()
    await expect(page.getByLabel('Your password', { exact: true })).toBeFocused()
    await fill(page, { 'Your password': 'not it' })
    await submit(page, 'Download my data').click()
    await expectWrong(page, 'Your password', 'This is not your current password')
    expect(await axe(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    await fill(page, { 'Your password': password })
    let downloadCount = 0
    page.on('download', () => (downloadCount += 1))
    const started = page.waitForEvent('download')
    await submit(page, 'Download my data').dblclick()

    await expect(toastOf(page, 'Your download has started')).toBeVisible()
    const download = await started
    expect(download.suggestedFilename()).toBe('my-data.zip')
    const files = await unzip(await readFile(await download.path()))
    expect(JSON.parse(String(files.get('account.json')))).toMatchObject({ email })
    await expect(submit(page, 'Download my data …')).toBeFocused()
    expect(downloadCount).toBe(1)
  },
)
