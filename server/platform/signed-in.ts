/** The customer of a valid session. */
export interface SignedIn {
  id: string
  name: string
  email: string
  sessionId: string
}
