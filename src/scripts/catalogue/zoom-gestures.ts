import { moved, toggled, type View, zoomed } from './zoom-view.ts'

interface Gestures {
  get: () => View
  set: (view: View) => void
  /** A swipe over the whole picture: 1 to the left, -1 to the right. */
  onSwipe: (step: 1 | -1) => void
}

const SWIPE_PX = 40
const TAP_PX = 10
const DOUBLE_TAP_MS = 350
const WHEEL_SPEED = 0.002

/** Connects a stage to wheel, mouse and fingers: pinch, move, swipe and double tap. */
export function connectGestures(stage: HTMLElement, { get, set, onSwipe }: Gestures): void {
  const fingers = new Map<number, PointerEvent>()
  let start: PointerEvent | undefined
  let lastTap: PointerEvent | undefined
  let wasPinch = false

  const size = () => ({ x: stage.clientWidth, y: stage.clientHeight })
  const fromMiddle = ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>) => ({
    x: clientX - stage.clientWidth / 2,
    y: clientY - stage.clientHeight / 2,
  })

  function pinch(before: PointerEvent, after: PointerEvent): void {
    const other = [...fingers.values()].find(({ pointerId }) => pointerId !== after.pointerId)
    if (!other) return
    const distance = ({ clientX, clientY }: PointerEvent) =>
      Math.hypot(clientX - other.clientX, clientY - other.clientY) || 1
    const middle = { clientX: (after.clientX + other.clientX) / 2, clientY: (after.clientY + other.clientY) / 2 }
    const turned = zoomed(get(), distance(after) / distance(before), fromMiddle(middle), size())
    // If one of two fingers moves, the point between them moves half as far.
    set(moved(turned, { x: (after.clientX - before.clientX) / 2, y: (after.clientY - before.clientY) / 2 }, size()))
  }

  function end(up: PointerEvent): void {
    const began = start
    fingers.delete(up.pointerId)
    if (fingers.size > 0 || !began || wasPinch || up.type === 'pointercancel') return
    const [x, y] = [up.clientX - began.clientX, up.clientY - began.clientY]
    if (Math.hypot(x, y) < TAP_PX) tap(up)
    else if (get().scale === 1 && Math.abs(x) > Math.max(SWIPE_PX, Math.abs(y))) onSwipe(x < 0 ? 1 : -1)
  }

  function tap(up: PointerEvent): void {
    const isDouble = lastTap !== undefined && up.timeStamp - lastTap.timeStamp < DOUBLE_TAP_MS
    lastTap = isDouble ? undefined : up
    // With a mouse a single click toggles, as its cursor indicates.
    if (isDouble || up.pointerType === 'mouse') set(toggled(get(), fromMiddle(up), size()))
  }

  stage.addEventListener('pointerdown', down => {
    stage.setPointerCapture(down.pointerId)
    if (fingers.size === 0) {
      start = down
      wasPinch = false
    } else wasPinch = true
    fingers.set(down.pointerId, down)
  })
  stage.addEventListener('pointermove', move => {
    const before = fingers.get(move.pointerId)
    if (!before) return
    if (fingers.size === 2) pinch(before, move)
    else if (get().scale > 1)
      set(moved(get(), { x: move.clientX - before.clientX, y: move.clientY - before.clientY }, size()))
    fingers.set(move.pointerId, move)
  })
  stage.addEventListener('pointerup', end)
  stage.addEventListener('pointercancel', end)
  stage.addEventListener(
    'wheel',
    event => {
      event.preventDefault()
      set(zoomed(get(), Math.exp(-event.deltaY * WHEEL_SPEED), fromMiddle(event), size()))
    },
    { passive: false },
  )
}
