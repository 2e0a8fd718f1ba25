import * as z from 'zod'
import { type PaymentMethod, PaymentProviderName } from '#contract/payments.ts'

const urlVariable = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be an address such as ${example}` }).default(example)

/** The environment variables of payments. */
export const PaymentEnvironment = {
  PAYMENT_PROVIDER: z
    .enum(PaymentProviderName.options, `must be one of ${PaymentProviderName.options.join(', ')}`)
    .optional(),
  FLUTTERWAVE_PUBLIC_KEY: z.string().optional(),
  FLUTTERWAVE_SECRET_KEY: z.string().optional(),
  FLUTTERWAVE_SECRET_HASH: z.string().optional(),
  FLUTTERWAVE_URL: urlVariable('https://api.flutterwave.com'),
  FLUTTERWAVE_SCRIPT_URL: urlVariable('https://checkout.flutterwave.com/v3.js'),
  // Sent to every browser: a secret key here would be public.
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'must be a publishable key, which begins with pk_').optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_/, 'must be a secret or restricted key, which begins with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_URL: urlVariable('https://api.stripe.com'),
  STRIPE_SCRIPT_URL: urlVariable('https://js.stripe.com/v3/'),
}

/** Variables whose values are never printed. A publishable key that is rejected may be a secret one. */
export const PAYMENT_SECRETS = [
  'FLUTTERWAVE_SECRET_KEY',
  'FLUTTERWAVE_SECRET_HASH',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]

type Variables = z.output<z.ZodObject<typeof PaymentEnvironment>>

export interface FlutterwaveConfig {
  provider: 'flutterwave'
  url: string
  scriptUrl: string
  publicKey: string
  secretKey: string
  /** Flutterwave sends it in the `verif-hash` header of each webhook. */
  secretHash: string
}

export interface StripeConfig {
  provider: 'stripe'
  url: string
  scriptUrl: string
  publicKey: string
  secretKey: string
  webhookSecret: string
}

export type PaymentConfig = { provider: 'sandbox' } | FlutterwaveConfig | StripeConfig

/**
 * The provider that PAYMENT_PROVIDER names, else the sandbox on a laptop, else null (no payments). Throws an Error that
 * names each missing variable.
 */
export function readPaymentConfig(variables: Variables, { isLaptop }: { isLaptop: boolean }): PaymentConfig | null {
  switch (variables.PAYMENT_PROVIDER) {
    case 'sandbox':
      return { provider: 'sandbox' }
    case 'flutterwave':
      return {
        provider: 'flutterwave',
        url: variables.FLUTTERWAVE_URL,
        scriptUrl: variables.FLUTTERWAVE_SCRIPT_URL,
        ...requireAll(variables, {
          publicKey: 'FLUTTERWAVE_PUBLIC_KEY',
          secretKey: 'FLUTTERWAVE_SECRET_KEY',
          secretHash: 'FLUTTERWAVE_SECRET_HASH',
        }),
      }
    case 'stripe':
      return {
        provider: 'stripe',
        url: variables.STRIPE_URL,
        scriptUrl: variables.STRIPE_SCRIPT_URL,
        ...requireAll(variables, {
          publicKey: 'STRIPE_PUBLISHABLE_KEY',
          secretKey: 'STRIPE_SECRET_KEY',
          webhookSecret: 'STRIPE_WEBHOOK_SECRET',
        }),
      }
    default:
      return isLaptop ? { provider: 'sandbox' } : null
  }
}

const METHODS: Record<PaymentProviderName, PaymentMethod[]> = {
  sandbox: ['Card', 'Mobile money', 'USSD'],
  flutterwave: ['Card', 'Mobile money', 'USSD'],
  stripe: ['Card'],
}

/** What customers can pay with at a provider; nothing without one. */
export function paymentMethods(config: PaymentConfig | null): PaymentMethod[] {
  return config ? METHODS[config.provider] : []
}

/** Its script posts to ravepay.co, and shows its checkout from one of the others. */
const FLUTTERWAVE_SOURCES = [
  'https://*.flutterwave.com',
  'https://*.f4b-flutterwave.com',
  'https://*.myflutterwave.com',
  'https://api.ravepay.co',
]

/** Origins from which payment pages load scripts, frames and data, besides the shop's own. */
export function paymentSources({ PAYMENT_PROVIDER, FLUTTERWAVE_SCRIPT_URL, STRIPE_SCRIPT_URL }: Variables): string[] {
  if (PAYMENT_PROVIDER === 'flutterwave') return [new URL(FLUTTERWAVE_SCRIPT_URL).origin, ...FLUTTERWAVE_SOURCES]
  if (PAYMENT_PROVIDER === 'stripe') return [new URL(STRIPE_SCRIPT_URL).origin, 'https://*.stripe.com']
  return []
}

function requireAll<Names extends Record<string, keyof Variables>>(
  variables: Variables,
  names: Names,
): Record<keyof Names, string> {
  const missing = Object.values(names).filter(name => !variables[name])
  if (missing.length > 0)
    throw new Error(
      missing.map(name => `${name} is missing: PAYMENT_PROVIDER=${variables.PAYMENT_PROVIDER} needs it`).join('\n'),
    )
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, variables[name]])) as Record<
    keyof Names,
    string
  >
}
