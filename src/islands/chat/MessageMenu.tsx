import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Message } from '#contract/chat.ts'
import { isShortcut } from '#lib/keys.ts'
import { copy } from '#page-scripts/clipboard.ts'
import { deleteMessage } from '#stores/chat/chat.ts'
import { toast } from '#stores/ui/toasts.ts'

/** The message with the open menu, and the button that opened it. */
export interface Opened {
  message: Message
  button: HTMLElement
}

interface Props {
  opened: Opened | null
  sellerId: string
  onClose: () => void
}

const GAP_PX = 4
const item =
  'flex min-h-11 w-full items-center rounded-[calc(var(--radius-control)-0.25rem)] px-3 text-left font-medium hover:bg-sunken hover:text-accent'

/** The menu of the customer's own message. A popover next to its button, so that nothing can clip it. */
export function MessageMenu({ opened, sellerId, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const shown = menu.current
    if (!opened || !shown) return
    shown.showPopover()
    place(shown, opened.button)
    shown.querySelector('button')?.focus()
  }, [opened])

  function close() {
    menu.current?.hidePopover()
    opened?.button.focus()
  }

  function move(event: KeyboardEvent) {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    if (event.key === 'Tab') close()
    const place = places[event.key]
    if (place === undefined || isShortcut(event)) return
    event.preventDefault()
    items.at(place % items.length)?.focus()
  }

  async function copyText() {
    close()
    const isCopied = await copy(opened?.message.text ?? '')
    if (isCopied) toast('success', 'Message copied')
    else toast('error', 'Your browser does not allow copying')
  }

  function remove() {
    close()
    // The button disappears together with the message.
    opened?.button.closest('section')?.focus()
    if (opened) void deleteMessage(sellerId, opened.message.id)
  }

  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label="Message options"
      tabIndex={-1}
      onKeyDown={move}
      onToggle={event => event.newState === 'closed' && onClose()}
      className="card fixed inset-auto m-0 w-40 p-1 text-ink shadow-raised"
    >
      {opened?.message.text && (
        <button type="button" role="menuitem" tabIndex={-1} onClick={() => void copyText()} className={item}>
          Copy
        </button>
      )}
      <button type="button" role="menuitem" tabIndex={-1} onClick={remove} className={`${item} text-bad`}>
        Delete
      </button>
    </div>
  )
}

/** Places the menu below the button, or above it if there is no room; always inside the window. */
function place(menu: HTMLElement, button: HTMLElement) {
  const { top, bottom, right } = button.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = menu
  const isBelow = bottom + GAP_PX + offsetHeight < innerHeight
  menu.style.top = `${Math.max(GAP_PX, isBelow ? bottom + GAP_PX : top - GAP_PX - offsetHeight)}px`
  menu.style.left = `${Math.max(GAP_PX, Math.min(right, innerWidth - GAP_PX) - offsetWidth)}px`
}
