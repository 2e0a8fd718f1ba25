import { askStock } from './catalogue/availability.ts'
import { connectCarousels } from './carousel.ts'
import { enhanceFilters } from './catalogue/filter-form.ts'
import { connectGallery } from './catalogue/gallery.ts'
import { whenIdle } from '#lib/idle.ts'
import { connectReviewPager } from './catalogue/review-pager.ts'
import { submitOnChange } from './submit-on-change.ts'
import { connectTabs } from './tabs.ts'

/** Brings what components render to life, on whatever page they are: a script of its own would cost each a request. */
export function connectPage(): void {
  connectTabs()
  connectGallery()
  connectReviewPager()
  enhanceFilters()
  submitOnChange()
  connectCarousels()
  whenIdle(() => void askStock())
  // A page that comes back from the browser's memory says what was in stock when it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && void askStock())
}
