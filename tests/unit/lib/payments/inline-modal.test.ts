import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadScript, openInlineModal } from '#lib/payments/inline-modal.ts'
import { ATTEMPT } from '#tests/support/payments/paying.ts'

const FAILED = 'Failed to load payment modal. Check your internet connection and retry later.'
let added: string[]
/** Which of the attempts succeed. */
let answers: boolean[]

beforeEach(() => {
  vi.useFakeTimers()
  added = []
  answers = []
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {
    createElement: () => {
      const listeners = new Map<string, () => void>()
      return { src: '', addEventListener: listeners.set.bind(listeners), listeners, remove: () => undefined }
    },
    head: {
      append({ src, listeners }: { src: string; listeners: Map<string, () => void> }) {
        const isThere = answers[added.push(src) - 1] ?? true
        queueMicrotask(() => listeners.get(isThere ? 'load' : 'error')?.())
      },
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the provider’s script', () => {
  test('is added once, however often the modal is opened', async () => {
    await Promise.all([loadScript('/once.js'), loadScript('/once.js')])
    await loadScript('/once.js')

    expect(added).toEqual(['/once.js'])
  })

  test('is retried three times, a second apart', async () => {
    answers = [false, false, false, true]
    const loaded = loadScript('/late.js')

    await vi.advanceTimersByTimeAsync(999)
    expect(added).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(added).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2000)
    await loaded
    expect(added).toHaveLength(4)
  })

  test('that never loads gives an error, and is tried again on the next click', async () => {
    answers = [false, false, false, false]
    const [failed] = await Promise.allSettled([loadScript('/never.js'), vi.advanceTimersByTimeAsync(10_000)])
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: FAILED } })
    expect(added).toHaveLength(4)

    await loadScript('/never.js')
    expect(added).toHaveLength(5)
  })
})

describe('the modal', () => {
  test('gets the amount, the options and the customer, and is closed after the payment', async () => {
    const close = vi.fn<() => void>()
    const open = vi.fn<NonNullable<typeof window.FlutterwaveCheckout>>(() => ({ close }))
    window.FlutterwaveCheckout = open

    const end = openInlineModal(ATTEMPT)
    await vi.advanceTimersByTimeAsync(0)
    const [checkout] = open.mock.calls[0]!
    expect(checkout).toMatchObject({
      public_key: 'pk',
      tx_ref: 'ref',
      amount: 23.45,
      currency: 'USD',
      payment_options: 'card, mobilemoney, ussd',
      customer: { email: 'ada@customers.test', phone_number: '+254', name: 'Ada' },
      customizations: { title: 'Payment for Order' },
    })
    checkout.callback()

    expect(await end).toBe('done')
    expect(close).toHaveBeenCalledOnce()
  })

  test('returns closed when the customer closes it', async () => {
    window.FlutterwaveCheckout = checkout => {
      queueMicrotask(checkout.onclose)
      return { close: () => undefined }
    }

    const end = openInlineModal(ATTEMPT)
    await vi.advanceTimersByTimeAsync(0)
    expect(await end).toBe('closed')
  })

  test('rejects when the script does not define the provider', async () => {
    await expect(openInlineModal(ATTEMPT)).rejects.toThrow(FAILED)
  })
})
