import type { Db } from '#server/db/types.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { PaymentConfig } from './config.ts'
import { openFlutterwave } from './flutterwave.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { openStripe } from './stripe.ts'

interface Options {
  db: Db
  jobs: Pick<Jobs, 'transact'>
  secrets: Secrets
}

/** Opens the configured payment provider; null if there is none. */
export function openPayments(config: PaymentConfig | null, { db, jobs, secrets }: Options): PaymentProvider | null {
  switch (config?.provider) {
    case 'sandbox':
      return openSandbox({ db, jobs, currentKeys: () => secrets.keysFor('sandbox-webhooks') })
    case 'flutterwave':
      return openFlutterwave(config)
    case 'stripe':
      return openStripe(config)
    default:
      return null
  }
}
