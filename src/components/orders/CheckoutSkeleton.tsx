import { type CheckoutStep, CheckoutSteps } from './CheckoutSteps.tsx'

/** A checkout page while it is loading. */
export function CheckoutSkeleton({ text, step = 'Address' }: { text: string; step?: CheckoutStep }) {
  return (
    <>
      <CheckoutSteps current={step} />
      <div aria-busy="true" className="grid animate-pulse gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <output className="sr-only">{text}</output>
        <div className="space-y-6">
          <div className="card h-[36rem] bg-sunken sm:h-96" />
          <div className="card h-48 bg-sunken" />
        </div>
        <div className="card h-72 bg-sunken" />
      </div>
    </>
  )
}
