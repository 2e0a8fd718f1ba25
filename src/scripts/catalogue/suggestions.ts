import { SUGGEST_MS } from '#lib/constants.ts'
import { addSearch, clearSearches, recentSearches, removeSearch } from '#lib/catalogue/recent-searches.ts'
import { countText, isEnough, type SentSuggestions } from '#lib/catalogue/suggestions.ts'
import { isShortcut } from '#lib/keys.ts'
import styles from '#styles/suggestions.css?url'
import { element, setAttributes } from '../elements.ts'
import { loadStyles } from '../styles.ts'
import { listbox, recentList, suggestionList } from './suggestion-list.ts'

const searchField = document.querySelector<HTMLInputElement>('#search-value')
if (searchField) void connect(searchField)

/**
 * Makes the search field a combobox that suggests products while the shopper types, and recent searches while it is
 * empty. Without this code or a response, it remains an ordinary field.
 */
async function connect(field: HTMLInputElement): Promise<void> {
  try {
    await loadStyles(styles)
  } catch {
    field.addEventListener('focus', () => void connect(field), { once: true })
    return
  }
  const panel = addPanel(field)
  const show = showing(field, panel)
  listenToKeys(field, panel, show)
  listenToPointer(field, panel, show)
  field.form?.addEventListener('submit', () => addSearch(field.value))
  // The shopper may have typed while this code was loading.
  if (field.value !== field.defaultValue || field.value === '') show.now()
}

interface Panel {
  box: HTMLElement
  status: HTMLElement
}

function addPanel(field: HTMLInputElement): Panel {
  const box = element('div', { class: 'suggestions', hidden: '' }, listbox())
  const status = element('p', { class: 'suggestions-status', role: 'status' })
  field.form?.append(box, status)
  setAttributes(field, {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'suggestions',
  })
  return { box, status }
}

type Showing = ReturnType<typeof showing>

/** Fetches and shows the suggestions for the field's text. An older response never replaces a newer one. */
function showing(field: HTMLInputElement, { box, status }: Panel) {
  const answers = new Map<string, SentSuggestions>()
  let asking = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  function openList(list: HTMLElement | null, text: string): void {
    if (!list || field !== document.activeElement) return close()
    box.replaceChildren(...list.childNodes)
    box.hidden = false
    box.scrollTop = 0
    field.setAttribute('aria-expanded', 'true')
    activate(field, box, undefined)
    status.textContent = text
  }

  function close(): void {
    cancel()
    box.hidden = true
    field.setAttribute('aria-expanded', 'false')
    activate(field, box, undefined)
    status.textContent = ''
  }

  function cancel(): void {
    clearTimeout(timer)
    asking.abort()
    asking = new AbortController()
  }

  function showRecent(): void {
    const searches = recentSearches()
    const count = countText([[searches.length, 'recent search', 'recent searches']])
    openList(searches.length > 0 ? recentList(searches) : null, `${count} Delete removes one.`)
  }

  async function suggest(typed: string): Promise<void> {
    const { signal } = asking
    const query = queryOf(field, typed)
    const answer = answers.get(query) ?? (await fetchSuggestions(query, signal))
    if (signal.aborted) return
    if (!answer) return close()
    answers.set(query, answer)
    const { products, categories, sellers } = answer
    const counts = countText([
      [products.length, 'product', 'products'],
      [categories.length, 'category', 'categories'],
      [sellers.length, 'shop', 'shops'],
    ])
    const isAny = products.length + categories.length + sellers.length > 0
    openList(isAny ? suggestionList(answer, typed) : null, counts)
    if (!isAny) status.textContent = counts
  }

  function now(): void {
    cancel()
    const typed = field.value.trim()
    if (typed === '') showRecent()
    else if (isEnough(typed)) void suggest(typed)
    else close()
  }

  function soon(): void {
    cancel()
    if (field.value.trim() === '') return now()
    timer = setTimeout(now, SUGGEST_MS)
  }

  return { now, soon, close }
}

function queryOf(field: HTMLInputElement, value: string): string {
  const category = field.form?.querySelector<HTMLSelectElement>('[name=category]')?.value
  return String(new URLSearchParams({ value, ...(category && { category }) }))
}

/** Null if the request fails: suggestions are optional, so no error is shown. */
async function fetchSuggestions(query: string, signal: AbortSignal): Promise<SentSuggestions | null> {
  try {
    const answer = await fetch(`/api/home/suggestions?${query}`, { signal })
    return answer.ok ? ((await answer.json()) as SentSuggestions) : null
  } catch {
    return null
  }
}

function optionsOf(box: HTMLElement): HTMLElement[] {
  return box.hidden ? [] : [...box.querySelectorAll<HTMLElement>('[role=option]')]
}

function activeOf(box: HTMLElement): HTMLElement | undefined {
  return optionsOf(box).find(option => option.getAttribute('aria-selected') === 'true')
}

function activate(field: HTMLInputElement, box: HTMLElement, option: HTMLElement | undefined): void {
  activeOf(box)?.setAttribute('aria-selected', 'false')
  if (option) {
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', option.id)
  } else field.removeAttribute('aria-activedescendant')
}

/** The option after or before the active one; undefined beyond the first and last. */
function neighbour(box: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const options = optionsOf(box)
  const active = activeOf(box)
  if (!active) return options.at(step === 1 ? 0 : -1)
  return options[options.indexOf(active) + step]
}

function listenToKeys(field: HTMLInputElement, { box }: Panel, show: Showing): void {
  const keys: Record<string, (active: HTMLElement | undefined) => boolean> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter(active) {
      active?.click()
      return active !== undefined
    },
    Delete(active) {
      const search = active?.dataset.search
      if (search) remove(search, show)
      return search !== undefined
    },
    Escape() {
      const wasOpen = !box.hidden
      show.close()
      return wasOpen
    },
  }
  function move(step: 1 | -1): boolean {
    if (box.hidden) show.now()
    else activate(field, box, neighbour(box, step))
    return true
  }
  field.addEventListener('input', show.soon)
  field.addEventListener('keydown', event => {
    // The Enter that ends a word of an input method. In Safari only its code shows that (WebKit bug 165004).
    if (event.isComposing || event.keyCode === 229 || isShortcut(event) || event.shiftKey) return
    if (keys[event.key]?.(activeOf(box))) event.preventDefault()
  })
  field.addEventListener('blur', show.close)
}

function listenToPointer(field: HTMLInputElement, { box }: Panel, show: Showing): void {
  // The field keeps the focus, so that a click in the panel does not close it first.
  box.addEventListener('mousedown', event => event.preventDefault())
  box.addEventListener('click', ({ target }) => {
    const control = (target as Element).closest<HTMLElement>('[data-search], [data-clear], [data-remove]')
    if (control?.dataset.remove) remove(control.dataset.remove, show)
    else if (control?.dataset.search) addSearch(control.dataset.search)
    else if (control) {
      clearSearches()
      show.close()
    }
  })
  field.addEventListener('click', () => box.hidden && field.value === '' && show.now())
  field.addEventListener('focus', () => field.value === '' && show.now())
  field.form?.addEventListener('change', ({ target }) => target !== field && show.close())
  // A page restored from the back/forward cache must not show an old panel.
  addEventListener('pagehide', show.close)
}

function remove(search: string, show: Showing): void {
  removeSearch(search)
  show.now()
}
