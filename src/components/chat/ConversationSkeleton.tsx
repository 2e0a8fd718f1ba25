const bubbles = ['w-2/5', 'w-3/5 ml-auto', 'w-1/2', 'w-1/3 ml-auto']

/** A conversation while its messages are loading. */
export function ConversationSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 animate-pulse flex-col justify-end gap-3 p-4">
      {bubbles.map(shape => (
        <div key={shape} className={`h-11 rounded-2xl bg-sunken ${shape}`} />
      ))}
    </div>
  )
}
