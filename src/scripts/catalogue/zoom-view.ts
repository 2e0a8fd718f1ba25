export const CLOSEST = 5
/** Zoom factors of a double tap and of one key press. */
const DOUBLE = 2.5
export const STEP = 1.5

interface Point {
  x: number
  y: number
}

/** The visible part of a picture: its scale, and the offset of its centre from the stage's centre in pixels. */
export interface View extends Point {
  scale: number
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 }

/** Scales by `factor` around the fixed point `at`, which is relative to the centre of the stage. */
export function zoomed(view: View, factor: number, at: Point, stage: Point): View {
  const scale = Math.min(CLOSEST, Math.max(1, view.scale * factor))
  const by = scale / view.scale
  return within({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, stage)
}

/** Moves the picture, but never beyond its edges. */
export function moved(view: View, by: Point, stage: Point): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, stage)
}

/** Enlarges the whole picture at a point, or shows it as a whole again. */
export function toggled(view: View, at: Point, stage: Point): View {
  return view.scale > 1 ? WHOLE : zoomed(view, DOUBLE, at, stage)
}

function within({ scale, x, y }: View, stage: Point): View {
  const most = { x: (stage.x * (scale - 1)) / 2, y: (stage.y * (scale - 1)) / 2 }
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
  return { scale, x: clamp(x, most.x), y: clamp(y, most.y) }
}
