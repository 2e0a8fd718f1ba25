import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UNSENT_PREFIX } from '#lib/constants.ts'
import { resendMessages } from '#page-scripts/accounts/customer.ts'

let page: EventTarget
let kept: Record<string, string>
const send = vi.fn<() => void>()

beforeEach(() => {
  page = new EventTarget()
  kept = {}
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('document', { readyState: 'complete' })
  vi.stubGlobal('localStorage', kept)
  vi.stubGlobal('window', { requestIdleCallback: true })
  vi.stubGlobal('requestIdleCallback', (work: () => void) => work())
  send.mockClear()
})
afterEach(() => vi.unstubAllGlobals())

test('an unsent message is sent from any page, and when the network is back', () => {
  kept[`${UNSENT_PREFIX}m1`] = '{}'
  resendMessages(send)
  expect(send).toHaveBeenCalledTimes(1)

  page.dispatchEvent(new Event('online'))
  expect(send).toHaveBeenCalledTimes(2)
})

test('without an unsent message, nothing is loaded', () => {
  kept.customerToken = 'ada'
  resendMessages(send)
  page.dispatchEvent(new Event('online'))

  expect(send).not.toHaveBeenCalled()
})
