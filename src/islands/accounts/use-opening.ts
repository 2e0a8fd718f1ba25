import { useEffect, useRef } from 'react'

export interface Opening {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** Moves the focus into a form when it opens, and back to its button when it closes. */
export function useOpening({ isOpen }: Pick<Opening, 'isOpen'>) {
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
    // Unless the focus has moved to another setting, which closed this one.
    else if (wasOpen.current && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return { opener, form }
}
