/** Whom a live session speaks for. */
export interface SignedIn {
  id: string
  name: string
  email: string
  sessionId: string
}
