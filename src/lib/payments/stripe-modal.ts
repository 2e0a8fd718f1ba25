import type { Stripe } from '@stripe/stripe-js'
import type { PaymentAttempt } from '#contract/payments.ts'
import { formatExact } from '../format.ts'
import { loadScript, type ModalEnd, ScriptUnavailableError } from './inline-modal.ts'

const DECLINED = 'The payment was declined.'
const AWAY = 'The payment could not be sent. Check your internet connection and try again.'

/**
 * Stripe offers only payment fields in iframes; this builds a modal around them. It is closed while the payment is
 * being confirmed: Stripe shows the bank's questions (3-D Secure) in the page, where nobody could click them below a
 * modal dialog. `onConfirming` is called when that begins, and when it ends without a payment.
 */
export async function openStripeModal(
  attempt: PaymentAttempt,
  onConfirming: (isConfirming: boolean) => void,
): Promise<ModalEnd> {
  await loadScript(attempt.scriptUrl)
  const stripe: Stripe | undefined = window.Stripe?.(attempt.publicKey)
  if (!stripe) throw new ScriptUnavailableError()
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe'
  const elements = stripe.elements({ clientSecret: attempt.clientSecret, appearance: { theme } })
  const { dialog, form, fields, problem, button } = build(attempt)
  const element = elements.create('payment')
  element.on('loaderror', ({ error }) => (problem.textContent = error.message ?? AWAY))
  element.mount(fields)
  const return_url = new URL(attempt.redirectUrl, location.origin).href
  let isConfirming = false

  function setConfirming(is: boolean): void {
    isConfirming = is
    onConfirming(is)
    if (is) dialog.close()
    else dialog.showModal()
  }

  /** Returns what is wrong with the fields, or why the payment failed. */
  async function confirm(): Promise<string | undefined> {
    try {
      const { error: mistake } = await elements.submit()
      if (mistake) return mistake.message ?? DECLINED
      if (!dialog.open) return undefined
      setConfirming(true)
      const { error } = await stripe!.confirmPayment({
        elements,
        confirmParams: { return_url },
        redirect: 'if_required',
      })
      return error && (error.message ?? DECLINED)
    } catch {
      return AWAY
    }
  }

  return new Promise(resolve => {
    const end = (how: ModalEnd) => {
      resolve(how)
      dialog.remove()
    }
    async function submit(): Promise<void> {
      button.setAttribute('aria-busy', 'true')
      problem.textContent = ''
      const failure = await confirm()
      button.removeAttribute('aria-busy')
      if (isConfirming && !failure) return end('done')
      if (isConfirming) setConfirming(false)
      problem.textContent = failure ?? ''
    }
    dialog.addEventListener('close', () => isConfirming || dialog.open || end('closed'))
    form.addEventListener('submit', event => {
      event.preventDefault()
      if (!button.ariaBusy) void submit()
    })
  })
}

function build({ title, amountCents }: PaymentAttempt) {
  const dialog = add(document.body, 'dialog', 'card m-auto w-[min(30rem,calc(100vw-2rem))] p-6 text-ink')
  dialog.setAttribute('aria-label', title)
  const form = add(dialog, 'form', 'space-y-4')
  add(form, 'h2', 'text-xl font-bold').textContent = title
  const fields = add(form, 'div', 'min-h-40')
  const problem = add(form, 'p', 'min-h-6 text-sm font-medium text-bad')
  problem.role = 'alert'
  const button = add(form, 'button', 'button w-full aria-busy:opacity-60')
  button.textContent = `Pay ${formatExact(amountCents)}`
  const cancel = add(form, 'button', 'button-quiet w-full')
  cancel.type = 'button'
  cancel.textContent = 'Cancel'
  cancel.addEventListener('click', () => dialog.close())
  dialog.showModal()
  return { dialog, form, fields, problem, button }
}

function add<Name extends keyof HTMLElementTagNameMap>(parent: Element, name: Name, className: string) {
  const element = document.createElement(name)
  element.className = className
  parent.append(element)
  return element
}
