import type { PaymentAttempt } from '#contract/payments.ts'
import { formatExact } from './format.ts'
import { loadScript, type ModalEnd, ScriptUnavailable } from './payment-modal.ts'

/** The little of https://docs.stripe.com/js that is used here. */
interface Stripe {
  elements(options: { clientSecret: string }): Elements
  confirmPayment(options: {
    elements: Elements
    confirmParams: { return_url: string }
    redirect: 'if_required'
  }): Promise<{ error?: { message?: string } }>
}

interface Elements {
  create(kind: 'payment'): { mount(element: Element): void }
}

declare global {
  interface Window {
    Stripe?: (publicKey: string) => Stripe
  }
}

/** Stripe has fields in frames of its own and no modal: this is one around them. */
export async function openStripeModal(attempt: PaymentAttempt): Promise<ModalEnd> {
  await loadScript(attempt.scriptUrl)
  const stripe = window.Stripe?.(attempt.publicKey)
  if (!stripe) throw new ScriptUnavailable()
  const elements = stripe.elements({ clientSecret: attempt.clientSecret })
  const { dialog, form, fields, problem, button } = build(attempt)
  elements.create('payment').mount(fields)
  const return_url = new URL(attempt.redirectUrl, location.origin).href

  return new Promise(resolve => {
    const end = (how: ModalEnd) => {
      resolve(how)
      dialog.remove()
    }
    dialog.addEventListener('close', () => end('closed'))
    form.addEventListener('submit', event => {
      event.preventDefault()
      if (button.disabled) return
      button.disabled = true
      void stripe
        .confirmPayment({ elements, confirmParams: { return_url }, redirect: 'if_required' })
        .then(({ error }) => {
          if (!error) return end('done')
          problem.textContent = error.message ?? 'The payment was declined.'
          button.disabled = false
        })
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
  const button = add(form, 'button', 'button w-full')
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
