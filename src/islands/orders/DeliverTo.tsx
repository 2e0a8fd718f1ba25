import { useEffect, useRef, useState } from 'react'
import { PostalAddress } from '#components/orders/PostalAddress.tsx'
import type { ShippingForm } from '#contract/orders.ts'
import { countryCode, loadPhone, ownAddressLines } from '#lib/accounts/address-fields.ts'
import { confirmAddress } from '#stores/accounts/address.ts'
import { leaveReview } from './checkout-history.ts'

const DOUBT = 'Please check the phone number: it does not look like one'

/** Shows the confirmed shipping address. */
export function DeliverTo({ form }: { form: ShippingForm }) {
  const section = useRef<HTMLElement>(null)
  const [isDoubtful, setIsDoubtful] = useState(false)
  // The form that had the focus has been removed. Focusing this section also scrolls to it, where the next step begins.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus()
  }, [])

  // A number is not formatted yet if the form was sent right after typing it, or the browser filled it in.
  useEffect(() => {
    let isShown = true
    void loadPhone().then(phone => {
      if (!phone || !isShown) return
      const formatted = phone.formatPhone(form.phone, countryCode(form.country))
      setIsDoubtful(formatted === null)
      if (formatted && formatted !== form.phone) confirmAddress({ ...form, phone: formatted })
    })
    return () => void (isShown = false)
  }, [form])

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="deliver-to"
      className="card flex items-start justify-between gap-4 p-5 focus:outline-none"
    >
      <div className="min-w-0">
        <h2 id="deliver-to" className="text-xl font-bold">
          Deliver to {form.name}
        </h2>
        <PostalAddress lines={ownAddressLines(form)} />
        <output className="block font-medium">{isDoubtful && DOUBT}</output>
      </div>
      <button
        type="button"
        onClick={leaveReview}
        className="link -mr-2 -mt-2 min-h-11 shrink-0 rounded-control px-2 capitalize"
        aria-describedby="deliver-to"
      >
        change
      </button>
    </section>
  )
}
