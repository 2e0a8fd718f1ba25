import { expect, test } from 'vitest'
import * as rules from '#contract/rules.ts'
import * as constants from '#lib/constants.ts'

test('the constants of the spec stand in one place', () => {
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
  })
  expect(rules).toMatchObject({
    SELLERS_PER_PAGE: 4,
    REVIEWS_PER_PAGE: 5,
    STARS: [5, 4, 3, 2, 1],
    DEFAULT_PRICE_RANGE: { low: 0, high: 100 },
  })
})
