import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { FakeStripe } from '../fakes/fake-stripe.ts'
import { listen } from '../fakes/http.ts'

const DECLINED = '4000000000000002'
/** Of https://docs.stripe.com/testing#authentication: the bank asks its customer first. */
const CHALLENGED = '4000002760003184'

/**
 * The part of https://docs.stripe.com/js that Piazza uses. The fields are in an iframe from Stripe's origin. As
 * Stripe.js does, it appends the bank's challenge (3-D Secure) to the page's body.
 */
const SCRIPT = `
const { origin } = new URL(document.currentScript.src)
window.Stripe = publicKey => {
  if (!publicKey.startsWith('pk_')) throw new Error('Invalid publishable key')
  let frame
  const ask = message => new Promise(resolve => {
    addEventListener('message', event => event.source === frame.contentWindow && resolve(event.data), { once: true })
    frame.contentWindow.postMessage(message, origin)
  })
  const challenge = () => new Promise(resolve => {
    const box = document.createElement('div')
    box.style.cssText = 'position:fixed; inset:0; z-index:2147483647; background:white'
    const button = document.createElement('button')
    button.textContent = 'Complete'
    box.append(button)
    document.body.append(box)
    button.addEventListener('click', () => (box.remove(), resolve()))
  })
  return {
    elements: ({ clientSecret }) => ({
      submit: async () => ({}),
      create: kind => ({
        on: () => undefined,
        mount(place) {
          frame = document.createElement('iframe')
          frame.title = 'Secure ' + kind + ' input frame'
          frame.src = origin + '/frame?secret=' + clientSecret
          place.append(frame)
        },
      }),
    }),
    async confirmPayment() {
      const answer = await ask('confirm')
      if (!answer.isChallenged) return answer
      await challenge()
      return ask('challenged')
    },
  }
}`

const FRAME = `<!doctype html><html lang="en"><title>Payment</title><label>Card number <input></label>
<script>
addEventListener('message', async ({ data, source, origin }) => {
  const clientSecret = new URLSearchParams(location.search).get('secret')
  const number = document.querySelector('input').value
  const answer = await fetch('/confirm', { method: 'POST', body: JSON.stringify({ clientSecret, number, step: data }) })
  source.postMessage(await answer.json(), origin)
})
</script>`

/** Serves Stripe's script and its iframe on an origin of their own. */
export async function serveStripeScript(stripe: FakeStripe) {
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://stripe')
    if (pathname === '/v3/') send(res, 'text/javascript', `{${SCRIPT}}`)
    else if (pathname === '/frame') send(res, 'text/html', FRAME)
    else if (pathname === '/confirm') send(res, 'application/json', JSON.stringify(confirm((await json(req)) as Given)))
    else res.writeHead(404).end()
  }

  function confirm({ clientSecret, number, step }: Given) {
    const attempt = stripe.attemptOf(clientSecret)
    if (!attempt) return { error: { message: 'No such payment_intent' } }
    const digits = number.replaceAll(' ', '')
    if (digits === CHALLENGED && step === 'confirm') return { isChallenged: true }
    const isDeclined = digits === DECLINED
    stripe.pay(attempt, { status: isDeclined ? 'failed' : 'succeeded' })
    return isDeclined ? { error: { message: 'Your card was declined.' } } : { paymentIntent: { status: 'succeeded' } }
  }

  const { url, close } = await listen((req, res) => void answer(req, res))
  return { scriptUrl: `${url}/v3/`, close }
}

interface Given {
  clientSecret: string
  number: string
  step: 'confirm' | 'challenged'
}

function send(res: ServerResponse, type: string, body: string): void {
  res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
}
