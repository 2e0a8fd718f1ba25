import { passFailpoint, type WatchedCall } from '../platform/failpoints.ts'
import type { PaymentProvider } from './providers/payment-provider.ts'

/** The methods that call the provider's servers. `withFailpoints` does not compile until it wraps all of them. */
type ProviderCall = {
  [Name in keyof PaymentProvider]-?: PaymentProvider[Name] extends (...args: never) => Promise<unknown> ? Name : never
}[keyof PaymentProvider]

/** Wraps a provider: each call passes a failpoint before it and one after its response. */
export function withFailpoints<Provider extends PaymentProvider>(provider: Provider): Provider {
  const calls: Pick<PaymentProvider, ProviderCall> = {
    createPayment: attempt => around('createPayment', () => provider.createPayment(attempt)),
    readPayment: attempt => around('readPayment', () => provider.readPayment(attempt)),
    refund: request => around('refund', () => provider.refund(request)),
    readCharge: charge => around('readCharge', () => provider.readCharge(charge)),
  }
  return { ...provider, ...calls }
}

async function around<Result>(name: WatchedCall, call: () => Promise<Result>): Promise<Result> {
  passFailpoint(`${name}:before`)
  const result = await call()
  passFailpoint(`${name}:responded`)
  return result
}
