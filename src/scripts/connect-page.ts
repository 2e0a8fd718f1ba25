import { fetchStock } from './catalogue/availability.ts'
import { connectCarousels } from './carousel.ts'
import { enhanceFilters } from './catalogue/filter-form.ts'
import { connectGallery } from './catalogue/gallery.ts'
import { whenIdle } from '#lib/idle.ts'
import { connectReviews } from './catalogue/review-clicks.ts'
import { hideHeaderOnTheWayDown } from './header-away.ts'
import { followShopper } from './first-activity.ts'
import { connectTabs } from './tabs.ts'
import { sayUnavailable } from './unavailable.ts'

/** Connects the behaviours of all components. One script for every page saves a request per component. */
export function connectPage(): void {
  hideHeaderOnTheWayDown()
  connectTabs()
  connectGallery()
  connectReviews()
  // Called before the filters are connected, because these fill in their fields after a form was reset.
  submitOnChange()
  enhanceFilters()
  connectCarousels()
  connectSearchField()
  followShopper()
  whenIdle(() => void fetchStock())
  // A page restored from the back/forward cache shows an old stock.
  addEventListener('pageshow', ({ persisted }) => persisted && void fetchStock())
  // And so does one in a tab to which the shopper returns.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void fetchStock())
}

/** Loads the code of the search field's suggestions when it is focused; again if that failed. */
function connectSearchField(): void {
  const field = document.querySelector<HTMLInputElement>('#search-value')
  const load = () => void import('./catalogue/suggestions.ts').catch(() => undefined)
  field?.addEventListener('focus', load)
  if (field === document.activeElement) load()
}

/**
 * Submits the form of each `data-submit-on-change` field when its value changes. In some browsers, arrow keys and
 * letters change the value of a closed list at each press: the form is then submitted on Enter or when the field is
 * left.
 */
function submitOnChange(): void {
  const fields = document.querySelectorAll<HTMLSelectElement>('[data-submit-on-change]')
  for (const field of fields) {
    let isKeyDown = false
    let isWaiting = false
    const submit = () => {
      isWaiting = false
      // The first choice on a page may come before offline-navigation.ts has loaded.
      if (navigator.onLine) field.form?.requestSubmit()
      else sayUnavailable()
    }
    const noteKey = (event: KeyboardEvent) => {
      isKeyDown = true
      // A choice in an open list comes after the key's own event.
      setTimeout(() => (isKeyDown = false))
      if (event.key !== 'Enter' || !isWaiting) return
      event.preventDefault()
      submit()
    }
    field.addEventListener('keydown', noteKey)
    field.addEventListener('keypress', noteKey)
    field.addEventListener('change', () => {
      isWaiting = isKeyDown
      if (!isWaiting) submit()
    })
    field.addEventListener('blur', () => isWaiting && submit())
  }
  // A page from the back/forward cache must show the choice of its list, not the one made when leaving it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const field of fields) field.form?.reset()
  })
}
