/** Where visitors become customers; whoever is signed in has nothing to do there. */
const DOORS = ['/login', '/register', '/forgotpassword', '/resetpassword']

/** The login page, from which the customer comes back to `path`. */
export function loginPath(path: string): string {
  return `/login?next=${encodeURIComponent(path)}`
}

/** Whether a path is that of a page on which visitors sign in, register or find their password again. */
export function isAuthPage(pathname: string): boolean {
  return DOORS.includes(pathname.toLowerCase().replace(/(?<=.)\/+$/, ''))
}

/**
 * Where the `next` of an address leads, if that is a page of this shop; otherwise, as for everything that only looks
 * like one to somebody, the home page.
 */
export function safeNext(next: string | null | undefined, origin: string): string {
  // A path begins with one slash; no browser sees anything but a path in the rest.
  if (!next || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(next)) return '/'
  const url = new URL(next, origin)
  // Dot segments may leave a second slash at the start: '/.//evil.example'.
  if (url.origin !== origin || url.pathname.startsWith('//') || isAuthPage(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** The address that the browser shows, without its origin. */
export function here(): string {
  return location.pathname + location.search + location.hash
}
