import type { ReactNode } from 'react'
import { type Opening, useOpening } from './use-opening.ts'

interface Props extends Opening {
  label: string
  /** The present value. On one line, so that nothing below it moves when it has loaded. */
  value: string
  /** Further text below the value. */
  note?: ReactNode
  /** The form that changes the value. */
  children: ReactNode
}

/** A setting with its value, and the form that changes it while it is open. */
export function SettingRow({ label, value, note, isOpen, onOpen, onClose, children }: Props) {
  const { opener, form } = useOpening({ isOpen })

  return (
    <li className="py-4">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <h3 className="text-base font-semibold">{label}</h3>
        {!isOpen && (
          <>
            <div className="col-start-1 row-start-2 mt-0.5 min-w-0 break-words text-muted max-sm:col-span-2">
              <p title={value} className="truncate">
                {value}
              </p>
              {note}
            </div>
            <button
              ref={opener}
              type="button"
              onClick={onOpen}
              className="button-quiet col-start-2 row-start-1 sm:row-span-2 sm:self-start"
            >
              Change<span className="sr-only"> {label.toLowerCase()}</span>
            </button>
          </>
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
