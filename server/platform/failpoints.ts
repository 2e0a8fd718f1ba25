/**
 * The moments around each call to the payment provider: `before` the call, `responded` after the response but before
 * anything is stored, `uncommitted` within the transaction that stores the response, `committed` after it. Those of
 * `return` are around the transaction that moves a cancellation or return.
 */
const MOMENTS = {
  createPayment: ['before', 'responded', 'committed'],
  readPayment: ['before', 'responded', 'uncommitted', 'committed'],
  refund: ['before', 'responded', 'uncommitted', 'committed'],
  readCharge: ['before', 'responded', 'uncommitted', 'committed'],
  return: ['uncommitted', 'committed'],
} as const

type Watched = keyof typeof MOMENTS
export type WatchedCall = Exclude<Watched, 'return'>
export type Failpoint = { [Call in Watched]: `${Call}:${(typeof MOMENTS)[Call][number]}` }[Watched]

export const FAILPOINTS = Object.entries(MOMENTS).flatMap(([call, moments]) =>
  moments.map(moment => `${call}:${moment}` as Failpoint),
)

let armed: Failpoint | undefined

/** Kills this process, like a power cut, the first time it reaches `point`. For tests of the recovery. */
export function armFailpoint(point: Failpoint | undefined): void {
  armed = point
}

/** Kills the process if this is the armed failpoint. */
export function passFailpoint(point: Failpoint): void {
  if (armed === point) process.kill(process.pid, 'SIGKILL')
}
