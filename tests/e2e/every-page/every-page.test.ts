import { axe, expect, measureShifts, NARROWEST, overflowing, readThrough, test } from '#tests/support/browser/e2e.ts'
import { PAGE_KINDS } from '#tests/support/browser/page-kinds.ts'

const TABLET = { width: 768, height: 1024 }

test.describe('every page is accessible, fits the window and loads without layout shift', () => {
  for (const { name, path, heading, status = 200 } of PAGE_KINDS) {
    test(name, async ({ page, faults, isMobile }) => {
      if (status >= 400) faults.expect(new RegExp(`^${status} `)).expect(new RegExp(`status of ${status}`))
      const shifts = await measureShifts(page)

      const answer = await page.goto(path)
      await readThrough(page)

      expect(answer?.status()).toBe(status)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      expect(await shifts()).toEqual({ sum: 0, moved: [] })
      expect(await overflowing(page)).toEqual([])
      expect(await axe(page)).toEqual([])
      if (isMobile) {
        // Colours are the same at every width.
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await axe(page, { onlyColours: true })).toEqual([])
      }
      await page.setViewportSize(isMobile ? NARROWEST : TABLET)
      expect(await overflowing(page)).toEqual([])
      if (isMobile) {
        await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
        expect(await overflowing(page)).toEqual([])
      }
    })
  }
})
