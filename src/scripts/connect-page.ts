import { askStock } from './catalogue/availability.ts'
import { connectCarousels } from './carousel.ts'
import { enhanceFilters } from './catalogue/filter-form.ts'
import { connectGallery } from './catalogue/gallery.ts'
import { whenIdle } from '#lib/idle.ts'
import { connectReviewPager } from './catalogue/review-pager.ts'
import { submitOnChange } from './submit-on-change.ts'
import { connectTabs } from './tabs.ts'

/** Connects the behaviours of all components. One script for every page saves a request per component. */
export function connectPage(): void {
  connectTabs()
  connectGallery()
  connectReviewPager()
  enhanceFilters()
  submitOnChange()
  connectCarousels()
  whenIdle(() => void askStock())
  // A page from the back/forward cache shows the stock of that time.
  addEventListener('pageshow', ({ persisted }) => persisted && void askStock())
}
