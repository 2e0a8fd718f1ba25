import type { ReactNode } from 'react'

interface Props {
  account: ReactNode
  shipping: ReactNode
  children: ReactNode
}

/** The frame of the account form. Its skeleton uses it too, so that nothing moves when the account has loaded. */
export function AccountSections({ account, shipping, children }: Props) {
  return (
    <div className="card max-w-3xl p-4 sm:p-8">
      <h2 className="text-xl [@media(width<15em)]:text-lg">Update Account Information</h2>
      <div className="mt-5 grid gap-x-5 gap-y-1 sm:grid-cols-2">{account}</div>
      <fieldset className="mt-5 border-t border-line pt-5">
        <legend className="contents text-lg font-bold">Shipping details</legend>
        <p className="mb-4 text-sm text-muted">Checkout fills in this address for you.</p>
        <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">{shipping}</div>
      </fieldset>
      <div className="mt-4">{children}</div>
    </div>
  )
}
