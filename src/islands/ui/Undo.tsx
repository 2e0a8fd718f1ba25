import { useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { nameOf } from '#lib/cart/cart-line.ts'
import { UNDO_MS } from '#lib/constants.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { removeLine, restoreLine } from '#stores/cart/cart.ts'

interface Removed {
  lineId: string
  name: string
  message: string
}

/** Removes lines from the cart. The last removal can be undone for 8 s. */
export function useRemoval() {
  const [removed, setRemoved] = useState<Removed | null>(null)

  useEffect(() => {
    if (!removed) return undefined
    const timer = setTimeout(withdraw, UNDO_MS)
    return () => clearTimeout(timer)
  }, [removed])

  function withdraw() {
    if (document.activeElement?.closest('output')) focusContent()
    setRemoved(null)
  }

  async function remove(line: CartLine) {
    const { _id: lineId } = line
    focusContent()
    const message = await removeLine(lineId)
    if (message !== null) setRemoved({ lineId, name: nameOf(line), message })
  }

  async function putBack() {
    if (!removed) return
    if (await restoreLine(removed.lineId)) withdraw()
  }

  return {
    removed: removed && { ...removed, putBack: () => void putBack() },
    remove: (line: CartLine) => void remove(line),
  }
}

/** Shows what was removed, with an undo button. */
export function Undo({ removed }: { removed: ReturnType<typeof useRemoval>['removed'] }) {
  const button = useRef<HTMLButtonElement>(null)
  const lineId = removed?.lineId
  useEffect(() => {
    if (lineId) button.current?.focus()
  }, [lineId])

  return (
    <output className="fixed inset-x-4 bottom-4 z-40 mx-auto block max-w-md">
      {removed && (
        <span className="flex items-center gap-3 rounded-card border border-transparent bg-ink px-4 py-2 text-paper shadow-raised">
          <span className="min-w-0 flex-1">
            {removed.message}
            <span dir="auto" className="block truncate text-sm opacity-80">
              {removed.name}
            </span>
          </span>
          <button
            ref={button}
            type="button"
            onClick={removed.putBack}
            className="min-h-11 shrink-0 rounded-control px-3 font-bold underline underline-offset-4 hover:bg-paper/15"
          >
            Undo
          </button>
        </span>
      )}
    </output>
  )
}
