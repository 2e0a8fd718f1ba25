import { html } from 'hono/html'
import { amountIn } from '#server/platform/usd.ts'
import { type Method, METHODS, numbersOf, type Outcome } from './numbers.ts'

interface Payment {
  reference: string
  amountCents: number
  currency: string
}

const NAMES: Record<Method, string> = { card: 'Card', mobilemoney: 'Mobile money', ussd: 'USSD' }
const LABELS: Record<Method, string> = {
  card: 'Card number',
  mobilemoney: 'Phone number of your wallet',
  ussd: 'Phone number that dials the code',
}
const OUTCOMES: Record<Outcome, string> = {
  succeeds: 'paid',
  declined: 'declined',
  'succeeds later': 'paid after a moment',
  'fails later': 'fails after a moment',
}

/** The payment page in the frame: takes test numbers, and says that no money moves. */
export function modalPage({ reference, amountCents, currency }: Payment) {
  const amount = amountIn(currency, amountCents)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Sandbox payment</title>
        <link rel="stylesheet" href="modal.css" />
        <script type="module" src="modal.js"></script>
      </head>
      <body data-reference="${reference}">
        <main>
          <header>
            <div>
              <h1>Payment for Order</h1>
              <p class="amount">${amount}</p>
            </div>
            <button type="button" class="close" aria-label="Close the payment">×</button>
          </header>
          <p class="notice"><strong>Sandbox.</strong> No money moves. Please never type a real card number here.</p>
          <form novalidate>
            <fieldset class="methods">
              <legend>Pay with</legend>
              ${METHODS.map(
                (method, index) =>
                  html`<label
                    ><input type="radio" name="method" value="${method}" ${index === 0 ? 'checked' : ''} /><span
                      >${NAMES[method]}</span
                    ></label
                  >`,
              )}
            </fieldset>
            ${METHODS.map((method, index) => panel(method, index === 0))}
            <p class="problem" role="alert"></p>
            <button type="submit" class="pay">Pay ${amount}</button>
          </form>
          <section class="result" tabindex="-1" hidden>
            <p class="mark" aria-hidden="true"></p>
            <h2></h2>
            <p class="details"></p>
            <button type="button" class="pay done">Close</button>
          </section>
        </main>
      </body>
    </html>`
}

function panel(method: Method, isShown: boolean) {
  const id = `number-${method}`
  return html`<div class="panel" data-method="${method}" ${isShown ? '' : 'hidden'}>
    <label for="${id}">${LABELS[method]}</label>
    <input
      id="${id}"
      type="text"
      inputmode="${method === 'card' ? 'numeric' : 'tel'}"
      autocomplete="off"
      aria-describedby="numbers-${method}"
    />
    ${method === 'ussd' ? html`<p class="hint">Then dial <b>*384*2025#</b> and confirm.</p>` : ''}
    <p class="hint" id="numbers-${method}">Test numbers, which fill in the field:</p>
    <ul class="numbers">
      ${numbersOf(method).map(
        ({ number, outcome }) =>
          html`<li>
            <button type="button" data-number="${number}"><b>${number}</b> <span>${OUTCOMES[outcome]}</span></button>
          </li>`,
      )}
    </ul>
  </div>`
}
