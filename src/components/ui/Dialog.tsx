import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  id: string
  title: string
  children: ReactNode
  onClose: () => void
}

/**
 * A modal dialog that is open while it is rendered. Escape closes it. Afterwards the focus returns to the element that
 * opened it or, if that is gone, to its closest focusable container.
 */
export function Dialog({ id, title, children, onClose }: Props) {
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

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="card m-auto w-[min(32rem,calc(100vw-2rem))] p-6 text-ink backdrop:bg-black/50"
    >
      <h2 id={id} className="text-xl font-bold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
