export function goTo(path: string): void {
  location.assign(path)
}

/** The login page, from which the customer comes back to `path`. */
export function loginPath(path: string): string {
  return `/login?next=${encodeURIComponent(path)}`
}

/** Sends a visitor to the login page and lets them come back to where they are. */
export function loginFirst(): void {
  goTo(loginPath(location.pathname + location.search))
}
