/** The notifications page while it is loading. */
export function NotificationsSkeleton() {
  return (
    <div aria-busy="true" className="animate-pulse space-y-5">
      <output className="sr-only">Loading your notifications</output>
      <div className="h-11 w-72 max-w-full rounded-control bg-sunken" />
      <div className="space-y-3">
        {[0, 1, 2].map(at => (
          <div key={at} className="card h-36 bg-sunken" />
        ))}
      </div>
    </div>
  )
}
