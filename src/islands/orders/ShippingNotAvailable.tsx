import { Dialog } from '#components/ui/Dialog.tsx'

/** Tells the customer that the order cannot ship to the chosen country. */
export function ShippingNotAvailable({ country, onClose }: { country: string; onClose: () => void }) {
  return (
    <Dialog id="not-available" title="Shipping Not Available" onClose={onClose}>
      <p className="mt-2 text-muted">
        Some items in your cart cannot be shipped to {country}. Please remove these items from your cart or choose a
        different shipping destination.
      </p>
      <form method="dialog" className="mt-6 grid gap-3 sm:flex sm:justify-end">
        <a href="/cart" className="button-quiet">
          Update Cart
        </a>
        <button className="button">Update Shipping Details</button>
      </form>
    </Dialog>
  )
}
