import type { Stripe } from '@stripe/stripe-js'
import type { PaymentAttempt } from '#contract/payments.ts'
import { formatExact } from '../format.ts'
import { loadScript, type ModalEnd, ScriptUnavailableError } from './inline-modal.ts'

const DECLINED = 'The payment was declined.'
const AWAY = 'The payment could not be sent. Check your internet connection and try again.'

/** Stripe offers only payment fields in iframes; this builds a modal around them. */
export async function openStripeModal(attempt: PaymentAttempt): Promise<ModalEnd> {
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

  async function confirm(): Promise<boolean> {
    button.setAttribute('aria-busy', 'true')
    problem.textContent = ''
    try {
      const { error } = await stripe!.confirmPayment({
        elements,
        confirmParams: { return_url },
        redirect: 'if_required',
      })
      if (error) problem.textContent = error.message ?? DECLINED
      return !error
    } catch {
      problem.textContent = AWAY
      return false
    } finally {
      button.removeAttribute('aria-busy')
    }
  }

  return new Promise(resolve => {
    const end = (how: ModalEnd) => {
      resolve(how)
      dialog.remove()
    }
    dialog.addEventListener('close', () => end('closed'))
    form.addEventListener('submit', event => {
      event.preventDefault()
      if (!button.ariaBusy) void confirm().then(isDone => isDone && end('done'))
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
