import { expect, test } from 'vitest'
import { AI_ROUTING_DEFAULTS } from '#contract/chat.ts'
import * as rules from '#contract/rules.ts'
import * as constants from '#lib/constants.ts'
import tailwind from '../../../tailwind.config.ts'

test('the constants that customers notice have not changed', () => {
  expect(constants).toMatchObject({
    TOAST_MS: { success: 2000, error: 4000, blank: 4000 },
    MAX_TOASTS: 20,
    CAROUSEL_TRANSITION_MS: 500,
    TOOLTIP_DELAY_MS: 700,
    SHOP_DESCRIPTION_LENGTH: 100,
    SIDE_NAME_LENGTH: 40,
    SIDE_DESCRIPTION_LENGTH: 40,
    SIDE_GROUP_LENGTH: 3,
    PAGER_NUMBERS: 5,
    REFRESH_MS: 30_000,
    SCRIPT_RETRIES: 3,
    SCRIPT_RETRY_MS: 1000,
  })
  expect(rules).toMatchObject({
    SELLERS_PER_PAGE: 4,
    REVIEWS_PER_PAGE: 5,
    STARS: [5, 4, 3, 2, 1],
    DEFAULT_PRICE_RANGE: { low: 0, high: 100 },
    NAME_LENGTH: { shortest: 2, longest: 50 },
    EMAIL_LENGTH: { shortest: 5, longest: 100 },
    PASSWORD_LENGTH: { shortest: 8, longest: 100 },
  })
  expect(AI_ROUTING_DEFAULTS).toEqual({ complexQueries: true, highValueCustomers: true, afterHours: false })
})

test.each([
  ['categories', { 0: 1, 441: 2, 565: 3, 768: 4, 1024: 6 }],
  ['thumbnails', { 0: 1, 200: 2, 250: 3, 300: 4, 441: 5 }],
  ['related', { 0: 1, 565: 2, 1280: 3 }],
] as const)('the carousel of %s shows as many slides as fit its width', (name, countByWidth) => {
  const screens: Record<string, string> = tailwind.theme.screens
  const counts = constants.SLIDES_IN_VIEW[name].split(' ').map(written => {
    const [, from = '0', count] = /^(?:(?:min-\[)?(\w+)\]?:)?\[--per-view:(\d)\]$/.exec(written) ?? []
    return [parseInt(screens[from] ?? from), Number(count)]
  })
  expect(Object.fromEntries(counts)).toEqual(countByWidth)
})
