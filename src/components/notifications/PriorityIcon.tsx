import type { Priority } from '#contract/notifications.ts'

const DRAWINGS: Record<Priority, { path: string; tone: string }> = {
  high: {
    path: 'M12 9v4.5M12 17h.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
    tone: 'bg-bad/10 text-bad',
  },
  medium: {
    path: 'M18 9a6 6 0 0 0-12 0c0 6-2.5 8-2.5 8h17S18 15 18 9M10.2 20.5a2 2 0 0 0 3.6 0',
    tone: 'bg-info/10 text-info',
  },
  low: {
    path: 'M12 11v5.5M12 7.5h.01M21.5 12a9.5 9.5 0 1 1-19 0 9.5 9.5 0 0 1 19 0Z',
    tone: 'bg-sunken text-muted',
  },
}

/** An icon for a priority. Its text is next to it. */
export function PriorityIcon({ priority }: { priority: Priority }) {
  const { path, tone } = DRAWINGS[priority]
  return (
    <span
      data-priority={priority}
      className={`inline-flex size-11 shrink-0 items-center justify-center rounded-full ${tone}`}
    >
      <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  )
}
