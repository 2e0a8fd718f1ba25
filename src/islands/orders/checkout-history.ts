import { useEffect } from 'react'
import { leave } from '#lib/leave.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { changeAddress } from '#stores/accounts/address.ts'

/** The step of the checkout that an entry of the browser's history shows. */
interface CheckoutState {
  step: 'address' | 'review'
}

const shownStep = () => (history.state as Partial<CheckoutState> | null)?.step

/** Makes the review an entry of the history. It survives a reload. */
export function enterReview(): void {
  if (shownStep() === 'review') return
  history.replaceState({ step: 'address' } satisfies CheckoutState, '')
  history.pushState({ step: 'review' } satisfies CheckoutState, '')
}

/** Returns from the review to the address, as Back does. */
export function leaveReview(): void {
  focusContent()
  if (shownStep() === 'review') history.back()
  else changeAddress()
}

/** Loads a page in place of the checkout and all its steps, so that Back leads to where the checkout began. */
export function replaceCheckout(path: string): void {
  const open = () => leave(() => location.replace(path))
  if (shownStep() !== 'review') return open()
  addEventListener('popstate', open, { once: true })
  history.back()
}

/** Shows the address when the customer returns from the review to it. */
export function useBackToAddress(): void {
  useEffect(() => {
    const follow = () => {
      // Other entries, such as those of 'Skip to content', have no step.
      if (shownStep() !== 'address') return
      focusContent()
      changeAddress()
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
}
