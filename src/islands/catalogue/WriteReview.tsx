import { useEffect, useRef, useState } from 'react'
import { PicturePicker } from '#components/ui/PicturePicker.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { StarInput } from '#components/catalogue/reviews/StarInput.tsx'
import { ReviewForm, type Review, type ReviewPicture } from '#contract/reviews.ts'
import { MAX_REVIEW_PICTURES } from '#contract/rules.ts'
import { ApiError } from '#lib/api.ts'
import { checkForm } from '#lib/form.ts'
import { whenIdle } from '#lib/idle.ts'
import { followVotes } from '#page-scripts/catalogue/review-actions.ts'
import { showNewReviews } from '#page-scripts/catalogue/review-pager.ts'
import { peekOwnReview, readOwnReview, submitReview } from '#stores/catalogue/reviews.ts'
import { leadToLogin } from '#stores/accounts/session.ts'
import { useDraft } from '../ui/use-draft.ts'
import { useSubmit } from '../ui/use-submit.ts'

interface Props {
  productId: string
  customerId: string
}

type Form = typeof NOTHING

const NOTHING = { review: '', rating: 0 }

export function WriteReview({ productId, customerId }: Props) {
  /** The earlier review, null without one, undefined while it is not known. */
  const [own, setOwn] = useState<Review | null>()
  const { draft: form, changeDraft, clearDraft } = useDraft(`review:${productId}`, customerId, NOTHING)
  const field = useRef<HTMLTextAreaElement>(null)
  const [files, setFiles] = useState<File[]>([])
  const [chosen, setChosen] = useState<ReviewPicture[]>()
  /** Upload progress of the pictures in percent; undefined while none are being sent. */
  const [percent, setPercent] = useState<number>()
  // The pictures of the earlier review stay until they are removed here.
  const kept = chosen ?? own?.pictures ?? []
  const isWritten = form.review !== '' || form.rating > 0
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({ schema: ReviewForm, read: () => form, send: sendReview })

  useEffect(() => void peekOwnReview(productId).then(setOwn), [productId])
  useEffect(followVotes, [])
  useEffect(() => {
    // The link to the form (`writeReviewPath`). Until the page is loaded, the browser scrolls to the reviews.
    if (new URLSearchParams(location.search).has('write'))
      whenIdle(() => field.current?.form?.querySelector('input')?.focus())
  }, [])

  function change(part: Partial<Form>) {
    changeDraft(part)
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(part).map(name => [name, undefined])) })
  }

  function editReview({ review, rating }: Review) {
    change({ review, rating })
    // The focused button is removed.
    field.current?.focus()
  }

  async function sendReview(review: ReviewForm) {
    try {
      // A review sent without the earlier one's pictures would remove them.
      const earlier = own === undefined ? await readOwnReview(productId) : own
      const isWhole = await submitReview(productId, review, {
        files,
        kept: (chosen ?? earlier?.pictures ?? []).map(({ _id }) => _id),
        onProgress: sent => setPercent(Math.round(sent * 100)),
      })
      await showNewReviews()
      // What was written stays for another try with the pictures.
      if (!isWhole) return
      clearDraft()
      setFiles([])
      setChosen(undefined)
      setOwn(await peekOwnReview(productId))
    } catch (error) {
      if (!(error instanceof ApiError) || !leadToLogin(error)) throw error
    } finally {
      setPercent(undefined)
    }
  }

  return (
    <form noValidate onSubmit={onSubmit} aria-label="Your review" className="space-y-3">
      <h3 className="text-lg font-bold">Write a review</h3>
      {/* What is changed while the review is being sent would be lost: the form is emptied then. */}
      <StarInput
        rating={form.rating}
        onChange={rating => change({ rating })}
        isDisabled={isBusy}
        error={errors.rating}
      />
      <div>
        <label htmlFor="review-text" className="mb-1 block font-semibold">
          Your review
        </label>
        <textarea
          ref={field}
          id="review-text"
          name="review"
          rows={4}
          dir="auto"
          value={form.review}
          readOnly={isBusy}
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
      <PicturePicker
        label="Pictures (optional)"
        files={files}
        most={MAX_REVIEW_PICTURES}
        hint={`Up to ${MAX_REVIEW_PICTURES}. Everyone can see them.`}
        isDisabled={isBusy}
        onChange={setFiles}
        kept={isWritten ? kept : []}
        onKeptChange={setChosen}
      />
      {percent !== undefined && <UploadProgress percent={percent} />}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <BusyButton isBusy={isBusy} aria-disabled={isBusy}>
          {isBusy ? (percent === undefined ? 'Sending…' : 'Uploading…') : 'Submit review'}
        </BusyButton>
        <p className="min-h-11 flex-1 basis-56 content-center text-sm text-muted">
          {own && 'You have already reviewed this product. A new review replaces it. '}
          {own && !isWritten && (
            <button type="button" onClick={() => editReview(own)} className="link">
              Edit my review
            </button>
          )}
        </p>
      </div>
    </form>
  )
}

function UploadProgress({ percent }: { percent: number }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <output>Uploading your pictures…</output>
      <progress aria-label="Upload" max={100} value={percent} className="h-2 min-w-0 flex-1 accent-accent" />
      <span className="w-10 text-right tabular-nums text-muted">{percent}%</span>
    </div>
  )
}

function reviewError(form: Form): string | undefined {
  const checked = checkForm(ReviewForm, form)
  return 'errors' in checked ? checked.errors.review : undefined
}
