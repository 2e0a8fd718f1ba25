import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Spinner } from '#components/ui/Spinner.tsx'
import { StarInput } from '#components/catalogue/StarInput.tsx'
import { ReviewForm, type Review } from '#contract/reviews.ts'
import { ApiError } from '#lib/api.ts'
import { keepDraft, readDraft } from '#lib/accounts/drafts.ts'
import { checkForm, type FieldErrors, focusFirst } from '#lib/form.ts'
import { showNewReviews } from '#page-scripts/catalogue/review-pager.ts'
import { readOwnReview, submitReview } from '#stores/catalogue/reviews.ts'
import { leadToLogin } from '#stores/accounts/session.ts'
import { toast } from '#stores/ui/toasts.ts'

interface Props {
  productId: string
  customerId: string
}

type Form = typeof NOTHING

const NOTHING = { review: '', rating: 0 }

export function WriteReview({ productId, customerId }: Props) {
  const draft = `review:${productId}`
  const [own, setOwn] = useState<Review | null>(null)
  const [form, setForm] = useState<Form>(() => (readDraft(draft, customerId) as Form | null) ?? NOTHING)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isBusy, setIsBusy] = useState(false)
  const isSending = useRef(false)
  const isWritten = form.review !== '' || form.rating > 0

  useEffect(() => void readOwnReview(productId).then(setOwn), [productId])

  function change(part: Partial<Form>) {
    setForm({ ...form, ...part })
    keepDraft(draft, customerId, { ...form, ...part })
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(part).map(name => [name, undefined])) })
  }

  function refuse(element: HTMLFormElement, found: FieldErrors, text: string) {
    toast('error', text)
    // Focusing another field triggers a blur check, so set these errors after it.
    focusFirst(element, found)
    setErrors(found)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending.current) return
    const element = event.currentTarget
    const checked = checkForm(ReviewForm, form)
    if ('errors' in checked) return refuse(element, checked.errors, checked.first)
    isSending.current = true
    setIsBusy(true)
    try {
      await submitReview(productId, checked.data)
      await showNewReviews()
      setForm(NOTHING)
      keepDraft(draft, customerId, null)
      setErrors({})
      setOwn(await readOwnReview(productId))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!leadToLogin(error)) refuse(element, error.fields ?? {}, error.message)
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }

  return (
    <form noValidate onSubmit={event => void submit(event)} aria-label="Your review" className="space-y-3">
      <h3 className="text-lg font-bold">Write a review</h3>
      <StarInput rating={form.rating} onChange={rating => change({ rating })} error={errors.rating} />
      <div>
        <label htmlFor="review-text" className="mb-1 block font-semibold">
          Your review
        </label>
        <textarea
          id="review-text"
          name="review"
          rows={4}
          dir="auto"
          value={form.review}
          onChange={({ target }) => change({ review: target.value })}
          onBlur={() => {
            if (isWritten) setErrors({ ...errors, review: reviewError(form) })
          }}
          aria-required="true"
          aria-invalid={errors.review ? true : undefined}
          aria-describedby="review-note"
          className="field min-h-28"
        />
        <p id="review-note" aria-live="polite" className="min-h-7 pt-1.5 text-sm font-medium text-bad">
          {errors.review}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button aria-busy={isBusy} aria-disabled={isBusy} className="button aria-disabled:opacity-60">
          {isBusy && <Spinner />}
          Submit review
        </button>
        <p className="min-h-11 flex-1 basis-56 content-center text-sm text-muted">
          {own && 'You reviewed this product. A new review takes its place. '}
          {own && !isWritten && (
            <button type="button" onClick={() => change({ review: own.review, rating: own.rating })} className="link">
              Edit my review
            </button>
          )}
        </p>
      </div>
    </form>
  )
}

function reviewError(form: Form): string | undefined {
  const checked = checkForm(ReviewForm, form)
  return 'errors' in checked ? checked.errors.review : undefined
}
