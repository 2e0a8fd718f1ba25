import type { MouseEvent } from 'react'
import { PriorityIcon } from '#components/notifications/PriorityIcon.tsx'
import { StatusBadge } from '#components/orders/StatusBadge.tsx'
import type { Notification, Priority } from '#contract/notifications.ts'
import { safeLink } from '#lib/links.ts'
import { formatMoment } from '#lib/orders/orders.ts'

interface Props {
  notification: Notification
  isRead: boolean
  onRead: (event: MouseEvent) => void
}

const PRIORITY_TEXTS: Record<Priority, string> = { high: 'High', medium: 'Medium', low: 'Low' }
const TONES: Record<Priority, 'bad' | 'busy' | 'plain'> = { high: 'bad', medium: 'busy', low: 'plain' }

export function NotificationCard({ notification, isRead, onRead }: Props) {
  const { title, message, priority, createdAt, link } = notification
  const href = safeLink(link)
  return (
    <article
      data-read={isRead}
      tabIndex={-1}
      className="card flex flex-wrap gap-3 p-4 data-[read=false]:border-l-4 data-[read=false]:border-l-accent data-[read=true]:bg-transparent data-[read=true]:shadow-none sm:gap-4 sm:p-5"
    >
      <PriorityIcon priority={priority} />
      <div className="min-w-0 flex-1 basis-40">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 dir="auto" className="min-w-0 break-words text-base font-bold">
            {!isRead && <span className="sr-only">Unread: </span>}
            {title}
          </h2>
          <StatusBadge text={PRIORITY_TEXTS[priority]} tone={TONES[priority]} />
        </div>
        <p dir="auto" className="mt-1 whitespace-pre-line break-words">
          {message}
        </p>
        <div className="-mb-2 mt-1 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <time dateTime={createdAt} className="text-sm text-muted">
            {formatMoment(createdAt)}
          </time>
          <span className="-mx-3 flex flex-wrap text-sm">
            {href && (
              <a href={href} className={action}>
                View details<span className="sr-only">: {title}</span>
              </a>
            )}
            {!isRead && (
              <button type="button" onClick={onRead} className={action}>
                Mark as read<span className="sr-only">: {title}</span>
              </button>
            )}
          </span>
        </div>
      </div>
    </article>
  )
}

const action =
  'inline-flex min-h-11 items-center rounded-control px-3 font-semibold text-accent hover:bg-accent-soft hover:underline'
