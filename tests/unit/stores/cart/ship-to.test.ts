import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, $customerToken } from '#stores/accounts/tokens.ts'
import { readShipTo, shipTo } from '#stores/cart/ship-to.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

beforeEach(() => {
  stubStorage('sessionStorage')
  $customerToken.set(tokenOf('ada'))
  shipTo('Kenya')
})
afterEach(() => vi.unstubAllGlobals())

test('the chosen country outlives a session that has ended, for the same customer only', () => {
  expect(readShipTo()).toBe('Kenya')

  endSession()
  expect(readShipTo()).toBeUndefined()

  $customerToken.set(tokenOf('eve', 'Eve'))
  expect(readShipTo()).toBeUndefined()

  $customerToken.set(tokenOf('ada'))
  expect(readShipTo()).toBe('Kenya')
})
