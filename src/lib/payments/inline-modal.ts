import type { PaymentAttempt } from '#contract/payments.ts'
import { SCRIPT_RETRIES, SCRIPT_RETRY_MS } from '../constants.ts'

/** The payment provider's script could not be loaded. */
export class ScriptUnavailableError extends Error {
  constructor() {
    super('Failed to load payment modal. Check your internet connection and retry later.')
  }
}

/** `done`: the customer submitted the payment, successfully or not. `closed`: they closed the modal before. */
export type ModalEnd = 'done' | 'closed'

/** https://developer.flutterwave.com/v3.0/docs/inline. The sandbox has the same interface. */
interface Checkout {
  public_key: string
  tx_ref: string
  amount: number
  currency: string
  payment_options: string
  payload_hash?: string
  customer: PaymentAttempt['customer']
  customizations: { title: string }
  callback: () => void
  onclose: () => void
}

declare global {
  interface Window {
    FlutterwaveCheckout?: (checkout: Checkout) => { close: () => void }
  }
}

/** Opens the provider's modal and waits until it ends. Only the provider knows the payment's outcome. */
export async function openInlineModal(attempt: PaymentAttempt): Promise<ModalEnd> {
  await loadScript(attempt.scriptUrl)
  const open = window.FlutterwaveCheckout
  if (!open) throw new ScriptUnavailableError()
  return new Promise(resolve => {
    const modal = open({
      ...checkoutOf(attempt),
      callback: () => {
        resolve('done')
        modal.close()
      },
      onclose: () => resolve('closed'),
    })
  })
}

function checkoutOf(attempt: PaymentAttempt): Omit<Checkout, 'callback' | 'onclose'> {
  const { publicKey, reference, amountCents, currency, options, customer, title, payloadHash } = attempt
  return {
    public_key: publicKey,
    tx_ref: reference,
    amount: amountCents / 100,
    currency,
    payment_options: options,
    customer,
    customizations: { title },
    ...(payloadHash && { payload_hash: payloadHash }),
  }
}

const loading = new Map<string, Promise<void>>()

/** Adds a script to the page once. Retries if it does not load, then throws `ScriptUnavailableError`. */
export function loadScript(url: string): Promise<void> {
  const known = loading.get(url)
  if (known) return known
  const load = tryScript(url, SCRIPT_RETRIES).catch((error: unknown) => {
    loading.delete(url)
    throw error
  })
  loading.set(url, load)
  return load
}

async function tryScript(url: string, retries: number): Promise<void> {
  try {
    await addScript(url)
  } catch {
    if (retries === 0) throw new ScriptUnavailableError()
    await new Promise(resolve => setTimeout(resolve, SCRIPT_RETRY_MS))
    await tryScript(url, retries - 1)
  }
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new ScriptUnavailableError())
    })
    document.head.append(script)
  })
}
