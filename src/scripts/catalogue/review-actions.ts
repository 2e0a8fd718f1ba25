import { ApiError } from '#lib/api.ts'
import { type Intent, storeIntent } from '#lib/accounts/intent.ts'
import { loginPath } from '#lib/navigate.ts'
import { $customer, leadToLogin } from '#stores/accounts/session.ts'
import { $votes, reportReview, voteReview } from '#stores/catalogue/reviews.ts'
import { toast } from '#stores/ui/toasts.ts'
import { afterReplacing } from './review-pager.ts'

const buttonsOf = (page: ParentNode) => page.querySelectorAll<HTMLButtonElement>('[data-review][aria-pressed]')

/** Shows which of the reviews the customer found helpful, from now on also after turning the page. */
export function followVotes(): () => void {
  afterReplacing(markVotes)
  return $votes.subscribe(markVotes)
}

function markVotes(): void {
  const votes = $votes.get()
  for (const button of buttonsOf(document))
    button.setAttribute('aria-pressed', String(votes.has(button.dataset.review ?? '')))
}

/**
 * Carries out a click on a button below a review: 'Helpful' or 'Report'. Visitors are led to the login, after which
 * 'Helpful' is clicked again.
 */
export async function act(button: HTMLButtonElement): Promise<void> {
  const { review = '' } = button.dataset
  const isNewVote = button.getAttribute('aria-pressed') === 'false'
  const intent: Intent | undefined = isNewVote ? { kind: 'voteReview', reviewId: review } : undefined
  if (!$customer.get()) {
    const page = `${location.pathname}${location.search}#reviews`
    if (intent) storeIntent(intent, page)
    return location.assign(loginPath(page))
  }
  if (button.getAttribute('aria-busy') === 'true') return
  button.setAttribute('aria-busy', 'true')
  try {
    if (button.hasAttribute('aria-pressed')) await vote(button, review)
    else await reportReview(review)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!leadToLogin(error, intent)) toast('error', error.message)
  } finally {
    button.removeAttribute('aria-busy')
  }
}

async function vote(button: HTMLButtonElement, review: string): Promise<void> {
  const isHelpful = button.getAttribute('aria-pressed') !== 'true'
  const count = await voteReview(review, isHelpful)
  button.setAttribute('aria-pressed', String(isHelpful))
  const shown = button.querySelector('span')
  if (shown) shown.textContent = count > 0 ? ` (${count})` : ''
}
