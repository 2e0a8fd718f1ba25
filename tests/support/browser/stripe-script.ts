import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { FakeStripe } from '../fakes/fake-stripe.ts'
import { listen } from '../fakes/http.ts'

const DECLINED = '4000000000000002'

/** The part of https://docs.stripe.com/js that Piazza uses. The fields are in an iframe from Stripe's origin. */
const SCRIPT = `
const { origin } = new URL(document.currentScript.src)
window.Stripe = publicKey => {
  if (!publicKey.startsWith('pk_')) throw new Error('Invalid publishable key')
  let frame
  return {
    elements: ({ clientSecret }) => ({
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
    confirmPayment: () => new Promise(resolve => {
      addEventListener('message', event => event.source === frame.contentWindow && resolve(event.data), { once: true })
      frame.contentWindow.postMessage('confirm', origin)
    }),
  }
}`

const FRAME = `<!doctype html><html lang="en"><title>Payment</title><label>Card number <input></label>
<script>
addEventListener('message', async ({ source, origin }) => {
  const clientSecret = new URLSearchParams(location.search).get('secret')
  const number = document.querySelector('input').value
  const answer = await fetch('/confirm', { method: 'POST', body: JSON.stringify({ clientSecret, number }) })
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

  function confirm({ clientSecret, number }: Given) {
    const attempt = stripe.attemptOf(clientSecret)
    if (!attempt) return { error: { message: 'No such payment_intent' } }
    const isDeclined = number.replaceAll(' ', '') === DECLINED
    stripe.pay(attempt, { status: isDeclined ? 'failed' : 'succeeded' })
    return isDeclined ? { error: { message: 'Your card was declined.' } } : { paymentIntent: { status: 'succeeded' } }
  }

  const { url, close } = await listen((req, res) => void answer(req, res))
  return { scriptUrl: `${url}/v3/`, close }
}

interface Given {
  clientSecret: string
  number: string
}

function send(res: ServerResponse, type: string, body: string): void {
  res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
}
