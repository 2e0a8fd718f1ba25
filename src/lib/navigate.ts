/** The login page, from which the customer comes back to `path`. */
export function loginPath(path: string): string {
  return `/login?next=${encodeURIComponent(path)}`
}
