export const FAILPOINTS = ['after_psp', 'before_commit', 'after_commit'] as const
export type Failpoint = (typeof FAILPOINTS)[number]

let armed: Failpoint | undefined

/** Ends this process, as a power cut would, the first time it comes to `point`. For tests of what is left then. */
export function armFailpoint(point: Failpoint | undefined): void {
  armed = point
}

/** Where tests may end the process: between what a payment provider says and what we have stored of it. */
export function passFailpoint(point: Failpoint): void {
  if (armed === point) process.kill(process.pid, 'SIGKILL')
}
