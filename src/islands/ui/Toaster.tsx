import { type CSSProperties, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster as Sonner, toast as show } from 'sonner'
import { MAX_TOASTS } from '#lib/constants.ts'
import { takeFlash } from '#lib/flash.ts'
import { $toasts, takeToasts, type Toast, toast } from '#stores/ui/toasts.ts'

const THEME = {
  '--normal-bg': 'rgb(var(--surface))',
  '--normal-text': 'rgb(var(--ink))',
  '--normal-border': 'rgb(var(--edge))',
  '--border-radius': 'var(--radius-control)',
  fontFamily: 'var(--font)',
} as CSSProperties

/** The distance of toasts from the window's edges where they lie in the header. */
const IN_HEADER = { top: '0.25rem', left: '0.5rem', right: '0.5rem' }

const SMALL = { minHeight: '3.75rem', paddingBlock: '0.25rem', fontSize: '0.75rem' }

const showAs = { success: show.success, error: show.error, blank: show }

/** The ids of toasts that a later one replaces, by what they are about. */
const shownAbout = new Map<string, number | string>()

function replace(about: string, id: number | string): void {
  const earlier = shownAbout.get(about)
  if (earlier !== undefined) show.dismiss(earlier)
  shownAbout.set(about, id)
}

function ToastLink({ text, href }: NonNullable<Toast['link']>) {
  return (
    <a href={href} className="link ml-auto inline-flex min-h-6 shrink-0 items-center px-1 font-semibold">
      {text}
    </a>
  )
}

function Toaster() {
  useEffect(
    () =>
      $toasts.subscribe(() => {
        for (const { kind, text, details, link, about, durationMs } of takeToasts()) {
          const action = link && <ToastLink {...link} />
          const id = showAs[kind](text, { duration: durationMs, description: details, action })
          if (about) replace(about, id)
        }
      }),
    [],
  )
  // Toasts must not cover the chat's message field or, on phones, the cart's button, which may come after a toast.
  const isBottomUsed =
    document.querySelector('[data-chat]') !== null ||
    (document.querySelector('[data-bottom-bar]') !== null && matchMedia('(max-width: 1023px)').matches)
  // In the checkout they fit into the header: everything else there has to be read.
  const isInHeader = document.querySelector('header[data-quiet]') !== null
  return (
    <Sonner
      position={isBottomUsed || isInHeader ? 'top-center' : 'bottom-center'}
      {...(isInHeader ? { offset: IN_HEADER, mobileOffset: IN_HEADER } : { mobileOffset: { top: '4.75rem' } })}
      visibleToasts={isInHeader ? 1 : MAX_TOASTS}
      containerAriaLabel="Messages"
      style={THEME}
      toastOptions={{
        ...(isInHeader && { style: SMALL }),
        classNames: {
          toast: isInHeader ? '' : '!text-[0.8125rem]',
          description: 'truncate',
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
        },
      }}
    />
  )
}

/** Adds the toaster. The layout calls it at the first toast of this page or one left by the previous page. */
export function mountToaster(): void {
  const left = takeFlash()
  if (left) toast(left.kind, left.text)
  createRoot(document.body.appendChild(document.createElement('div'))).render(<Toaster />)
}
