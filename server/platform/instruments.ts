/** Callbacks that record measurements of a process for its metrics. */
export interface Instruments {
  /**
   * A page was sent: from the store (HIT), just rendered (MISS), outdated while it is rendered again (UPDATING), or
   * because that failed (STALE).
   */
  page(state: string): void
  render(ms: number): void
  query(ms: number): void
}
