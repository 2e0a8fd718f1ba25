import { useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { nameOf } from '#lib/cart/cart-line.ts'
import { UNDO_MS } from '#lib/constants.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { removeLine, restoreLine } from '#stores/cart/lines.ts'

interface Removed {
  lineIds: string[]
  name: string
  message: string
}

/** Removes lines from the cart. The last removal, of one or several lines, can be undone for 8 s. */
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

  async function remove(lines: CartLine[]) {
    focusContent()
    const messages = await Promise.all(lines.map(({ _id }) => removeLine(_id)))
    const gone = lines.filter((_, at) => messages[at] !== null)
    const [first] = gone
    if (!first) return
    const name = gone.length === 1 ? nameOf(first) : `${gone.length} products`
    const message = messages.find(each => each !== null) ?? ''
    setRemoved({ lineIds: gone.map(({ _id }) => _id), name, message })
  }

  async function putBack() {
    if (!removed) return
    const answers = await Promise.all(removed.lineIds.map(restoreLine))
    if (answers.every(Boolean)) withdraw()
  }

  return {
    removed: removed && { ...removed, putBack: () => void putBack() },
    remove: (lines: CartLine[]) => void remove(lines),
  }
}

interface Props {
  removed: ReturnType<typeof useRemoval>['removed']
  /** Where the note is. By default, near the lower edge of the window. */
  place?: string
}

/** Shows what was removed, with an undo button. */
export function Undo({ removed, place = 'fixed bottom-24' }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const firstId = removed?.lineIds[0]
  useEffect(() => {
    if (firstId) button.current?.focus()
  }, [firstId])

  return (
    <output className={`${place} inset-x-4 z-40 mx-auto block max-w-md lg:fixed lg:bottom-4`}>
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
