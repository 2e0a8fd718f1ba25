import { leadsElsewhere } from '#lib/clicks.ts'
import { whenIdle } from '#lib/idle.ts'
import { isShortcut } from '#lib/keys.ts'

/** Turns the links above two sections into tabs. The stylesheet shows the section named in `data-open`. */
export function connectTabs(): void {
  const root = document.querySelector<HTMLElement>('[data-tabs]')
  const list = root?.querySelector<HTMLElement>('[data-tab-list]')
  if (!root || !list) return
  const tabs = [...list.querySelectorAll<HTMLAnchorElement>('a')]
  const tabOf = (hash?: string) => tabs.find(tab => tab.hash === hash)
  const panelOf = (tab: HTMLAnchorElement) => document.getElementById(tab.hash.slice(1))

  function openTab(chosen: HTMLAnchorElement) {
    root!.dataset.open = chosen.hash.slice(1)
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen)
      tab.tabIndex = tab === chosen ? 0 : -1
    }
  }

  list.role = 'tablist'
  for (const tab of tabs) {
    const panel = panelOf(tab)
    tab.role = 'tab'
    tab.setAttribute('aria-controls', tab.hash.slice(1))
    if (!panel) continue
    Object.assign(panel, { role: 'tabpanel', tabIndex: 0 })
    // Makes the browser lay out the hidden section now, instead of while the visitor waits for it.
    whenIdle(() => panel.firstElementChild?.clientHeight)
  }
  openTab(tabOf(location.hash) ?? tabOf(`#${root.dataset.open}`) ?? tabs[0]!)

  list.addEventListener('keydown', event => {
    const at = tabs.indexOf(document.activeElement as HTMLAnchorElement)
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const place = places[event.key]
    if (place === undefined || at < 0 || isShortcut(event)) return
    event.preventDefault()
    const next = tabs.at(place % tabs.length)
    next?.focus()
    if (next) openTab(next)
  })

  // A link to a section, anywhere on the page, opens its tab first.
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]')
    const tab = tabOf(link?.hash)
    if (!link || !tab || leadsElsewhere(event)) return
    event.preventDefault()
    openTab(tab)
    // Not before the section shows: changing the URL takes the browser about as long as laying the section out.
    whenIdle(() => history.replaceState(history.state, '', tab.hash))
    if (link !== tab) showPanel(panelOf(tab))
  })
  addEventListener('hashchange', () => {
    const tab = tabOf(location.hash)
    if (!tab) return
    openTab(tab)
    showPanel(panelOf(tab))
  })
}

function showPanel(panel: HTMLElement | null): void {
  panel?.focus({ preventScroll: true })
  panel?.scrollIntoView()
}
