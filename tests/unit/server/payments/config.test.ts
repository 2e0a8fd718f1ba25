import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  PAYMENT_SECRETS,
  PaymentEnvironment,
  paymentMethods,
  paymentSources,
  readPaymentConfig,
} from '#server/payments/providers/config.ts'

const VARIABLES = z.object(PaymentEnvironment)
const FLUTTERWAVE = {
  PAYMENT_PROVIDER: 'flutterwave',
  FLUTTERWAVE_PUBLIC_KEY: 'FLWPUBK-1',
  FLUTTERWAVE_SECRET_KEY: 'FLWSECK-1',
  FLUTTERWAVE_SECRET_HASH: 'hash',
}
const STRIPE = {
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_PUBLISHABLE_KEY: 'pk_1',
  STRIPE_SECRET_KEY: 'sk_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

const configOf = (variables: object, isLaptop = false) => readPaymentConfig(VARIABLES.parse(variables), { isLaptop })

test('each provider gets its own keys and addresses', () => {
  expect(configOf(FLUTTERWAVE, true)).toEqual({
    provider: 'flutterwave',
    url: 'https://api.flutterwave.com',
    scriptUrl: 'https://checkout.flutterwave.com/v3.js',
    publicKey: 'FLWPUBK-1',
    secretKey: 'FLWSECK-1',
    secretHash: 'hash',
  })
  expect(
    configOf({ ...STRIPE, STRIPE_URL: 'http://stripe.example', STRIPE_SCRIPT_URL: 'http://js.example/x' }),
  ).toEqual({
    provider: 'stripe',
    url: 'http://stripe.example',
    scriptUrl: 'http://js.example/x',
    publicKey: 'pk_1',
    secretKey: 'sk_1',
    webhookSecret: 'whsec_1',
  })
})

test.each(['flutterwave', 'stripe'])('without any of the keys of %s, all are named at once', provider => {
  const keys = Object.keys(provider === 'stripe' ? STRIPE : FLUTTERWAVE).filter(name => name !== 'PAYMENT_PROVIDER')
  const lines = keys.map(name => `${name} is missing: PAYMENT_PROVIDER=${provider} needs it`)
  expect(() => configOf({ PAYMENT_PROVIDER: provider })).toThrow(new Error(lines.join('\n')))
})

test('customers pay by card at Stripe, and in other ways too at Flutterwave and in the sandbox', () => {
  expect(paymentMethods(configOf(STRIPE))).toEqual(['Card'])
  expect(paymentMethods(configOf(FLUTTERWAVE))).toEqual(['Card', 'Mobile money', 'USSD'])
  expect(paymentMethods(configOf({}, true))).toEqual(['Card', 'Mobile money', 'USSD'])
  expect(paymentMethods(configOf({}))).toEqual([])
})

test('payment pages load from the configured script’s origin and the provider’s own, with Flutterwave’s whole checkout', () => {
  const sources = (variables: object) => paymentSources(VARIABLES.parse(variables))

  expect(sources({ ...FLUTTERWAVE, FLUTTERWAVE_SCRIPT_URL: 'https://pay.example/v3.js' })).toEqual([
    'https://pay.example',
    'https://*.flutterwave.com',
    'https://*.f4b-flutterwave.com',
    'https://*.myflutterwave.com',
    'https://api.ravepay.co',
  ])
  expect(sources({ ...STRIPE, STRIPE_SCRIPT_URL: 'https://js.example/v3/' })).toEqual([
    'https://js.example',
    'https://*.stripe.com',
  ])
  for (const variables of [{}, { PAYMENT_PROVIDER: 'sandbox' }]) expect(sources(variables)).toEqual([])
})

test.each<[object, string]>([
  [{ PAYMENT_PROVIDER: 'paypal' }, 'must be one of sandbox, flutterwave, stripe'],
  [{ STRIPE_URL: 'stripe' }, 'must be an address such as https://api.stripe.com'],
  [{ STRIPE_URL: 'httpsx://x' }, 'must be an address such as https://api.stripe.com'],
  [{ STRIPE_SCRIPT_URL: 'ftp://x' }, 'must be an address such as https://js.stripe.com/v3/'],
  [{ FLUTTERWAVE_URL: 'xhttps://x' }, 'must be an address such as https://api.flutterwave.com'],
  [{ FLUTTERWAVE_SCRIPT_URL: '/v3.js' }, 'must be an address such as https://checkout.flutterwave.com/v3.js'],
])('%j is rejected with an example', (variables, message) => {
  expect(VARIABLES.safeParse(variables).error?.issues.map(issue => issue.message)).toEqual([message])
})

test('secrets are those that pages never show', () => {
  const shown = Object.keys({ ...FLUTTERWAVE, ...STRIPE }).filter(name => !PAYMENT_SECRETS.includes(name))

  expect(shown).toEqual(['PAYMENT_PROVIDER', 'FLUTTERWAVE_PUBLIC_KEY'])
})
