import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  id: string
  title: string
  children: ReactNode
  onClose: () => void
}

/**
 * A modal dialog that is open as long as it is rendered; Escape closes it. The focus goes back to what opened it, or, when
 * that is gone by then, to what was around it and can have it.
 */
export function Dialog({ id, title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    const opener = document.activeElement
    const surroundings = opener?.closest('[tabindex="-1"]')
    shown?.showModal()
    // React takes the dialog away before the browser could bring the focus back.
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
