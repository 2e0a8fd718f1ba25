import { useEffect, useRef } from 'react'
import { PostalAddress } from '#components/orders/PostalAddress.tsx'
import type { ShippingForm } from '#contract/orders.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { changeAddress } from '#stores/accounts/address.ts'

/** Shows the confirmed shipping address. */
export function DeliverTo({ form }: { form: ShippingForm }) {
  const section = useRef<HTMLElement>(null)
  // The form that had the focus has been removed. The next step begins here, however far down that form was scrolled.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus()
  }, [])

  function change() {
    // The focused button is about to be removed.
    focusContent()
    changeAddress()
  }

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="deliver-to"
      className="card flex items-start justify-between gap-4 p-5 outline-none"
    >
      <div className="min-w-0">
        <h2 id="deliver-to" className="text-xl font-bold">
          Deliver to {form.name}
        </h2>
        <PostalAddress address={form} />
      </div>
      <button
        type="button"
        onClick={change}
        className="link -mr-2 -mt-2 min-h-11 shrink-0 rounded-control px-2"
        aria-describedby="deliver-to"
      >
        change
      </button>
    </section>
  )
}
