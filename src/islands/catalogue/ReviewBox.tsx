import { useStore } from '@nanostores/react'
import { loginPath } from '#lib/navigate.ts'
import { $customer } from '#stores/accounts/session.ts'
import { WriteReview } from './WriteReview.tsx'

interface Props {
  productId: string
  /** Where the form is shown after a login. */
  path: string
}

/** The review form for customers, a link to the login for visitors. */
export function ReviewBox({ productId, path }: Props) {
  const customer = useStore($customer, { ssr: 'initial' })
  if (customer) return <WriteReview key={customer.id} productId={productId} customerId={customer.id} />

  return (
    <div className="flex flex-wrap items-center gap-4">
      <p className="mr-auto">Do you own it? Log in to write a review.</p>
      <a href={loginPath(path)} rel="nofollow" className="button-quiet">
        Login
      </a>
    </div>
  )
}
