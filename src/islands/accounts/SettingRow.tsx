import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  label: string
  /** The present value. */
  value: ReactNode
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
  /** The form that changes the value. */
  children: ReactNode
}

/** A setting with its value, and the form that changes it while it is open. */
export function SettingRow({ label, value, isOpen, onOpen, onClose, children }: Props) {
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
    // Unless the focus has moved to another setting, which closed this one.
    else if (wasOpen.current && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  return (
    <li className="py-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 className="text-base font-semibold">{label}</h3>
          {!isOpen && <div className="mt-0.5 break-words text-muted">{value}</div>}
        </div>
        {!isOpen && (
          <button ref={opener} type="button" onClick={onOpen} className="button-quiet shrink-0">
            Change<span className="sr-only"> {label.toLowerCase()}</span>
          </button>
        )}
      </div>
      {isOpen && (
        <div ref={form} className="mt-3 max-w-md">
          {children}
          <button type="button" onClick={onClose} className="button-quiet mt-2 w-full">
            Cancel
          </button>
        </div>
      )}
    </li>
  )
}
