import type { Page } from 'playwright/test'
import type { DayRange } from '#contract/delivery.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'

/** Like `arrivalDates`, counted from the page's today: in its time zone, it may be another day than here. */
export async function arrivalDatesIn(page: Page, days: DayRange): Promise<string> {
  const [year, month, day] = await page.evaluate(() => {
    const now = new Date()
    return [now.getFullYear(), now.getMonth(), now.getDate()] as const
  })
  return arrivalDates(days, new Date(year, month, day))
}
