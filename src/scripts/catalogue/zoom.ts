import { isShortcut } from '#lib/keys.ts'
import styles from '#styles/zoom.css?url'
import { element } from '../elements.ts'
import { loadStyles } from '../styles.ts'
import { showView } from './main-picture.ts'
import { reveal } from './swipe.ts'
import { connectGestures } from './zoom-gestures.ts'
import { CLOSEST, moved, STEP, type View, WHOLE, zoomed } from './zoom-view.ts'

// The gallery loads `swipe` and `enlarge` together, at its first touch.
export { swipe } from './swipe.ts'

const ICONS = {
  Close: 'M18 6 6 18M6 6l12 12',
  'Zoom in': 'M12 5v14M5 12h14',
  'Zoom out': 'M5 12h14',
  'Previous picture': 'm15 18-6-6 6-6',
  'Next picture': 'm9 18 6-6-6-6',
}
const MOVE_PX = 80
/** The dialog's `returnValue` if Back has closed it. */
const LEFT = 'left'

interface Picture {
  src: string
  alt: string
  thumb?: HTMLAnchorElement
}

let loaded: Promise<void> | undefined

/** After a failure, the next call tries again. */
function loadOnce(): Promise<void> {
  loaded ??= loadStyles(styles).catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/**
 * Shows pictures enlarged in a dialog. Without `clicked`, it begins with the gallery's main picture, and the last
 * picture viewed becomes the main one.
 */
export async function enlarge(gallery: HTMLElement, clicked?: HTMLAnchorElement): Promise<void> {
  await loadOnce()
  // A second click while the styles were loading.
  if (document.querySelector('dialog.zoom')) return
  const pictures = picturesOf(gallery)
  let at = Math.max(
    0,
    pictures.findIndex(({ thumb }) => (clicked ? thumb === clicked : thumb?.hasAttribute('aria-current'))),
  )
  let view: View = WHOLE

  const image = element('img', { draggable: 'false' }) as HTMLImageElement
  const stage = element('div', { class: 'zoom-stage' }, image)
  const count = element('p', { class: 'zoom-count', 'aria-live': 'polite' })
  const zoomInButton = button('Zoom in', () => zoomBy(STEP))
  const zoomOutButton = button('Zoom out', () => zoomBy(1 / STEP))
  const closeButton = button('Close', () => dialog.close())
  const dialog = element(
    'dialog',
    { class: 'zoom', 'aria-label': 'Enlarged picture' },
    stage,
    ...(pictures.length > 1
      ? [
          button('Previous picture', () => turn(-1), 'zoom-previous'),
          button('Next picture', () => turn(1), 'zoom-next'),
        ]
      : []),
    count,
    element('div', { class: 'zoom-bar' }, zoomOutButton, zoomInButton, closeButton),
  ) as HTMLDialogElement

  function zoomTo(next: View): void {
    view = next
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    stage.toggleAttribute('data-enlarged', view.scale > 1)
    zoomOutButton.setAttribute('aria-disabled', String(view.scale === 1))
    zoomInButton.setAttribute('aria-disabled', String(view.scale === CLOSEST))
  }

  const size = () => ({ x: stage.clientWidth, y: stage.clientHeight })
  const zoomBy = (factor: number) => zoomTo(zoomed(view, factor, { x: 0, y: 0 }, size()))

  /** Moves an enlarged picture; otherwise, a sideways move shows another picture. */
  function move(x: number, y: number): void {
    if (view.scale > 1) zoomTo(moved(view, { x, y }, size()))
    else if (x !== 0) turn(x < 0 ? 1 : -1)
  }

  function turn(step: number): void {
    at = (at + step + pictures.length) % pictures.length
    const { src, alt } = pictures[at]!
    image.src = src
    image.alt = alt
    count.textContent = pictures.length > 1 ? `${at + 1} of ${pictures.length}` : ''
    count.hidden = pictures.length === 1
    zoomTo(WHOLE)
  }

  const keys: Record<string, () => void> = {
    '+': () => zoomBy(STEP),
    '=': () => zoomBy(STEP),
    '-': () => zoomBy(1 / STEP),
    '0': () => zoomTo(WHOLE),
    ArrowLeft: () => move(MOVE_PX, 0),
    ArrowRight: () => move(-MOVE_PX, 0),
    ArrowUp: () => move(0, MOVE_PX),
    ArrowDown: () => move(0, -MOVE_PX),
  }
  dialog.addEventListener('keydown', event => {
    if (!keys[event.key] || isShortcut(event)) return
    event.preventDefault()
    keys[event.key]!()
  })
  const leave = () => dialog.close(LEFT)
  dialog.addEventListener('close', () => {
    dialog.remove()
    removeEventListener('popstate', leave)
    if (dialog.returnValue !== LEFT) {
      // After going back, browsers focus the section that the URL names.
      addEventListener('popstate', () => setTimeout(() => clicked?.focus()), { once: true })
      history.back()
    }
    const { thumb } = pictures[at]!
    if (clicked) return clicked.focus()
    if (!thumb) return
    showView(thumb)
    reveal(thumb)
  })
  connectGestures(stage, { get: () => view, set: zoomTo, onSwipe: turn })

  turn(0)
  document.body.append(dialog)
  dialog.showModal()
  // Back closes dialogs in few browsers; in the others it leads here.
  history.pushState(history.state, '')
  addEventListener('popstate', leave)
  closeButton.focus()
}

function picturesOf(gallery: HTMLElement): Picture[] {
  const thumbs = [...gallery.querySelectorAll<HTMLAnchorElement>('a[data-view]')]
  if (thumbs.length > 0) return thumbs.map(thumb => ({ src: thumb.href, alt: thumb.dataset.view ?? '', thumb }))
  const main = gallery.querySelector<HTMLAnchorElement>('[data-main]')
  return [{ src: main?.href ?? '', alt: [...(main?.querySelectorAll('img') ?? [])].at(-1)?.alt ?? '' }]
}

function button(name: keyof typeof ICONS, act: () => void, place = ''): HTMLElement {
  const made = element('button', { type: 'button', class: `zoom-button ${place}`, 'aria-label': name })
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', ICONS[name])
  icon.append(path)
  made.append(icon)
  made.addEventListener('click', act)
  return made
}
