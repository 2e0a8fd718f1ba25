import { type MouseEvent, useEffect, useRef } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import type { Attachment } from '#contract/chat.ts'
import { safeLink } from '#lib/links.ts'

const control =
  'inline-flex size-11 items-center justify-center rounded-full bg-black/60 text-white hover:bg-black/80 focus-visible:outline-white'

/** Shows a picture in full size. Escape or a click next to it closes it and returns the focus. */
export function PictureViewer({ picture, onClose }: { picture: Attachment; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { url, originalName, width, height } = picture

  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  function closeBeside({ target, currentTarget }: MouseEvent) {
    if (target === currentTarget) dialog.current?.close()
  }

  return (
    // Escape does the same.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={originalName}
      onClose={onClose}
      onClick={closeBeside}
      className="m-0 hidden h-dvh max-h-none w-screen max-w-none items-center justify-center bg-black/90 p-0 open:flex"
    >
      <img
        src={safeLink(url)}
        alt={originalName}
        width={width}
        height={height}
        className="max-h-full max-w-full object-contain"
      />
      <div className="absolute right-3 top-3 flex gap-2">
        <a href={safeLink(url)} download={originalName} aria-label={`Download ${originalName}`} className={control}>
          <Icon name="download" />
        </a>
        <button type="button" aria-label="Close" onClick={() => dialog.current?.close()} className={control}>
          <Icon name="close" />
        </button>
      </div>
    </dialog>
  )
}
