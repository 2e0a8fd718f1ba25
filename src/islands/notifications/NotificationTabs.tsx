import { type KeyboardEvent, useRef } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { isShortcut } from '#lib/keys.ts'
import { type Tab, TAB_TEXTS, TABS } from '#lib/notifications/tabs.ts'

interface Props {
  tab: Tab
  byTab: Record<Tab, Notification[]>
  onChoose: (tab: Tab) => void
}

/** The tabs All, Unread and Read with their counts. Arrow keys move between them. */
export function NotificationTabs({ tab, byTab, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const at = TABS.indexOf(tab)
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const place = places[event.key]
    if (place === undefined || isShortcut(event)) return
    event.preventDefault()
    const next = TABS.at(place % TABS.length) ?? tab
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }

  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Notifications"
      className="inline-flex flex-wrap rounded-control border border-line bg-sunken p-1"
    >
      {TABS.map(each => (
        <button
          key={each}
          id={`tab-${each}`}
          type="button"
          role="tab"
          aria-selected={each === tab}
          aria-controls="notifications"
          tabIndex={each === tab ? 0 : -1}
          onKeyDown={move}
          onClick={() => onChoose(each)}
          className="inline-flex min-h-11 items-center gap-1.5 rounded-[calc(var(--radius-control)-0.25rem)] px-2.5 font-semibold text-muted hover:text-accent aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-card sm:px-4 dark:aria-selected:bg-line"
        >
          {TAB_TEXTS[each]}
          <span className="font-normal">({byTab[each].length})</span>
        </button>
      ))}
    </div>
  )
}
