export const CLOSEST = 5
/** How much a double tap and a step of the keyboard enlarge. */
const DOUBLE = 2.5
export const STEP = 1.5

interface Point {
  x: number
  y: number
}

/** Part of a picture that is in view: its scale, and how many pixels its middle is off the stage's. */
export interface View extends Point {
  scale: number
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 }

/** Scales by `factor` while the point `at` stays where it is; `at` counts from the middle of a stage of this size. */
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
