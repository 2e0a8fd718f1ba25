import { useStore } from '@nanostores/react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import type { About } from '#contract/chat.ts'
import { isBlank } from '#contract/wire.ts'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'
import { maxWordsOf } from '#lib/chat/about.ts'
import { sellerIdOf } from '#lib/chat/chat.ts'
import { sendText } from '#stores/chat/outbox.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $chosen, $upload, chooseFiles, sendFiles } from '#stores/chat/uploads.ts'
import { AboutCard } from './AboutCard.tsx'
import { AttachFiles } from './AttachFiles.tsx'
import { ChosenFiles } from './ChosenFiles.tsx'
import { SendingNote } from './SendingNote.tsx'
import { useAbout } from './use-about.ts'

const draftOf = (sellerId: string) => `chat:${sellerId}`

/** The message form. Unsent text is restored after a reload. */
export function Composer({ sellerId }: { sellerId: string | null }) {
  const currentId = useStore($customer)?.id
  // A session that ends while the customer is typing leaves the draft theirs.
  const [customerId, setCustomerId] = useState(currentId ?? '')
  if (currentId && currentId !== customerId) setCustomerId(currentId)
  const files = useStore($chosen).get(sellerId ?? '') ?? []
  const upload = useStore($upload)
  const [text, setText] = useState(() => textIn(sellerId && readDraft(draftOf(sellerId), customerId)))
  const { about, loadedAbout, dropAbout } = useAbout(sellerId)
  const [isWaiting, setIsWaiting] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isUploading = upload?.isRunning === true
  const isBusy = isUploading || isWaiting
  const isSendable = sellerId !== null && !isBusy && (!isBlank(text) || files.length > 0)

  useWarningBeforeLeaving(isUploading)
  useEffect(() => {
    // On a touch screen, the keyboard would cover the messages.
    if (sellerId && sellerIdOf(location.pathname) === sellerId && matchMedia('(pointer: fine)').matches)
      field.current?.focus({ preventScroll: true })
  }, [sellerId])

  // If the customer has looked at another chat during the upload, an earlier form has sent the text.
  useEffect(
    () =>
      $upload.listen(now => {
        if (now?.sellerId === sellerId && now?.percent === 100) setText('')
      }),
    [sellerId],
  )

  function write(next: string) {
    setText(next)
    if (sellerId) storeDraft(draftOf(sellerId), customerId, next === '' ? null : { text: next })
  }

  async function sendDraft() {
    if (!isSendable || !sellerId || !currentId) return
    field.current?.focus()
    setIsWaiting(true)
    const asked = await loadedAbout()
    setIsWaiting(false)
    if (files.length === 0) sendText(sellerId, text.trim(), asked)
    else if (!(await sendFiles(sellerId, text.trim(), asked))) return
    if (asked) dropAbout()
    write('')
  }

  function sendByEnter(event: KeyboardEvent) {
    // The Enter that ends a word of an input method. In Safari only its code shows that (WebKit bug 165004).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void sendDraft()
  }

  function paste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    chooseFiles(sellerId, pasted)
  }

  return (
    <form
      aria-label="Write a message"
      onSubmit={event => {
        event.preventDefault()
        void sendDraft()
      }}
      className="border-t border-line p-2 md:p-3"
    >
      {about && (
        <AskedAbout
          about={about}
          isDisabled={isUploading}
          onDrop={() => {
            field.current?.focus()
            dropAbout()
          }}
        />
      )}
      {sellerId && (
        <ChosenFiles sellerId={sellerId} files={files} upload={upload} onGone={() => field.current?.focus()} />
      )}
      <div className="flex items-end gap-1.5">
        <AttachFiles sellerId={sellerId} isDisabled={isUploading} />
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          value={text}
          readOnly={isBusy}
          maxLength={maxWordsOf(about)}
          aria-label="Message"
          enterKeyHint="send"
          placeholder="Type a message or attach files..."
          onChange={({ target }) => write(target.value)}
          onKeyDown={sendByEnter}
          onPaste={paste}
          className="field max-h-40 min-w-0 flex-1 resize-none outline-offset-0 [field-sizing:content] focus-visible:outline-2"
        />
        <button
          aria-label="Send"
          title="Send"
          disabled={!isSendable}
          aria-busy={isBusy}
          className="button size-11 shrink-0 p-0"
        >
          <Icon name="send" />
        </button>
      </div>
      <SendingNote hasFiles={files.length > 0} />
    </form>
  )
}

/** What the next message asks about, with a button that drops it. */
function AskedAbout({ about, isDisabled, onDrop }: { about: About; isDisabled: boolean; onDrop: () => void }) {
  return (
    <div className="flex items-start gap-1.5">
      <div className="min-w-0 flex-1">
        <AboutCard about={about} />
      </div>
      <button
        type="button"
        aria-label={`Do not ask about ${about.name}`}
        disabled={isDisabled}
        onClick={onDrop}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-accent disabled:opacity-60"
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

/** While `isNeeded`, the browser asks for confirmation before leaving the page. */
function useWarningBeforeLeaving(isNeeded: boolean) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    if (isNeeded) addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isNeeded])
}

function textIn(draft: unknown): string {
  const { text } = (draft ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
