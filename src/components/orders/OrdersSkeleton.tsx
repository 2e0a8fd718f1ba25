/** A page of orders while it is loading. */
export function OrdersSkeleton({ hasCounts = false }: { hasCounts?: boolean }) {
  return (
    <div aria-busy="true" className="animate-pulse space-y-6">
      <output className="sr-only">Loading your orders</output>
      {hasCounts && (
        <div className="grid grid-cols-3 gap-2 large-text:grid-cols-1 sm:gap-4">
          {[0, 1, 2].map(count => (
            <div key={count} className="card h-[5.5rem] bg-sunken" />
          ))}
        </div>
      )}
      <div className="card h-80 bg-sunken" />
    </div>
  )
}
