/**
 * For each call to the payment provider, the moments around it: `before` it, `answered` by the provider with nothing
 * stored yet, `uncommitted` in the transaction that stores the answer, and `committed` after it.
 */
const MOMENTS = {
  begin: ['before', 'answered', 'committed'],
  ask: ['before', 'answered', 'uncommitted', 'committed'],
  refund: ['before', 'answered', 'uncommitted', 'committed'],
  chargeStatus: ['before', 'answered', 'uncommitted', 'committed'],
} as const

export type WatchedCall = keyof typeof MOMENTS
export type Failpoint = { [Call in WatchedCall]: `${Call}:${(typeof MOMENTS)[Call][number]}` }[WatchedCall]

export const FAILPOINTS = Object.entries(MOMENTS).flatMap(([call, moments]) =>
  moments.map(moment => `${call}:${moment}` as Failpoint),
)

let armed: Failpoint | undefined

/** Kills this process, as a power cut would, the first time it reaches `point`. For tests of what is left then. */
export function armFailpoint(point: Failpoint | undefined): void {
  armed = point
}

/** Where tests can kill the process. */
export function passFailpoint(point: Failpoint): void {
  if (armed === point) process.kill(process.pid, 'SIGKILL')
}
