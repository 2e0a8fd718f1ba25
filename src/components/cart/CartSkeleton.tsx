/** The cart page while the cart is loading. */
export function CartSkeleton() {
  return (
    <div className="grid animate-pulse gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <output className="sr-only">Loading your cart</output>
      <div className="card space-y-6 p-5">
        {[0, 1, 2].map(row => (
          <div key={row} className="flex gap-4">
            <div className="size-20 shrink-0 rounded-control bg-sunken sm:size-24" />
            <div className="flex-1 space-y-3 pt-1">
              <div className="h-4 w-3/4 rounded bg-sunken" />
              <div className="h-4 w-1/3 rounded bg-sunken" />
              <div className="h-11 w-32 rounded-control bg-sunken" />
            </div>
          </div>
        ))}
      </div>
      <div className="card h-64 bg-sunken" />
    </div>
  )
}
