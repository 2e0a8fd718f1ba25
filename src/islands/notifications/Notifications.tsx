import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { NotificationsSkeleton } from '#components/notifications/NotificationsSkeleton.tsx'
import { Spinner } from '#components/ui/Spinner.tsx'
import { EMPTY_TEXTS, type Tab, tabOf } from '#lib/notifications/tabs.ts'
import { $byTab, $notifications, markAsRead, refreshNotifications } from '#stores/notifications/notifications.ts'
import { Blank } from '../ui/Blank.tsx'
import { NotificationCard } from './NotificationCard.tsx'
import { NotificationTabs } from './NotificationTabs.tsx'

/** The customer's notifications. The open tab is stored in the URL. */
export function Notifications() {
  const load = useStore($notifications)
  const byTab = useStore($byTab)
  const [tab, setTab] = useState<Tab>(() => tabOf(location.search))
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const follow = () => setTab(tabOf(location.search))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  function choose(next: Tab) {
    history.replaceState(null, '', next === 'all' ? location.pathname : `?show=${next}`)
    setTab(next)
  }

  function markRead(id: string, button: Element) {
    // The focused button is about to disappear, on the Unread tab with its card.
    const remaining = tab === 'unread' ? panel.current : button.closest('article')
    remaining?.focus({ preventScroll: true })
    void markAsRead(id)
  }

  if (load.state === 'loading') return <NotificationsSkeleton />
  if (load.state !== 'ready')
    return (
      <Blank
        text={load.state === 'failed' ? load.message : 'Failed to fetch notifications'}
        onRetry={refreshNotifications}
      />
    )
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <NotificationTabs tab={tab} byTab={byTab} onChoose={choose} />
        <Refresh />
      </div>
      <div ref={panel} role="tabpanel" id="notifications" aria-labelledby={`tab-${tab}`} tabIndex={-1}>
        {byTab[tab].length > 0 ? (
          <ul className="space-y-3">
            {byTab[tab].map(notification => (
              <li key={notification.id}>
                <NotificationCard
                  notification={notification}
                  isRead={byTab.read.includes(notification)}
                  onRead={({ currentTarget }) => markRead(notification.id, currentTarget)}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Blank text={EMPTY_TEXTS[tab]}>
            {tab === 'all' && <p className="text-muted">Notifications from admin will appear here.</p>}
          </Blank>
        )}
      </div>
    </div>
  )
}

function Refresh() {
  const [isBusy, setIsBusy] = useState(false)

  async function refresh() {
    if (isBusy) return
    setIsBusy(true)
    await refreshNotifications()
    setIsBusy(false)
  }

  return (
    <button
      type="button"
      aria-busy={isBusy}
      onClick={() => void refresh()}
      className="button-quiet min-w-11 px-3 sm:px-4"
    >
      {isBusy ? <Spinner /> : <Icon name="refresh" />}
      <span className="max-sm:sr-only">Refresh</span>
    </button>
  )
}
