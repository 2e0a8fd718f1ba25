/** Changes of a line's quantity that the provider has not confirmed. A typed quantity is sent before the steps. */
export interface Unconfirmed {
  /** With the last confirmed quantity. */
  typed?: { quantity: number; confirmed: number } | undefined
  /** Single units, positive for more and negative for fewer; each is one request. */
  steps: number
  /** The step that is being sent; it counts as one of `steps` until it is confirmed. */
  sentStep: 1 | 0 | -1
}

/** By line. `lines.ts` sends them. */
export const unconfirmedByLine = new Map<string, Unconfirmed>()
