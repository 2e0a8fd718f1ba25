/** Loaded before a program (`node --import`): sets its clock ahead by CLOCK_SHIFT_MS, in all its threads too. */
const shift = Number(process.env.CLOCK_SHIFT_MS)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number]) {
    super(...((given.length > 0 ? given : [RealDate.now() + shift]) as [number]))
  }

  static override now(): number {
    return RealDate.now() + shift
  }
} as DateConstructor
