import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'

interface Props {
  id: string
  title: string
  children: ReactNode
  /** Whether a request is under way that cannot be taken back: the dialog stays open until it is completed. */
  isBusy?: boolean
  onClose: () => void
}

/**
 * A modal dialog that is open while it is rendered. Escape closes it, unless it `isBusy`. Afterwards the focus returns
 * to the element that opened it or, if that is gone, to its closest focusable container.
 */
export function Dialog({ id, title, children, isBusy = false, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    const opener = document.activeElement
    const surroundings = opener?.closest('[tabindex="-1"]')
    shown?.showModal()
    // React removes the dialog before the browser could restore the focus.
    return () => {
      const back = [opener, surroundings].find(each => each?.isConnected)
      if (back instanceof HTMLElement) back.focus()
    }
  }, [])

  const stayIfBusy = (event: SyntheticEvent) => isBusy && event.preventDefault()

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={stayIfBusy}
      onSubmit={stayIfBusy}
      // Browsers close it at a second Escape, whatever becomes of `cancel`.
      onClose={() => (isBusy ? dialog.current?.showModal() : onClose())}
      className="card m-auto w-[min(32rem,calc(100vw-2rem))] p-6 text-ink backdrop:bg-black/50"
    >
      <h2 id={id} className="text-xl font-bold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
