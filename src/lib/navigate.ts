/** Pages on which visitors sign in. Signed-in customers have no use for them. */
const AUTH_PAGES = ['/login', '/register', '/forgotpassword', '/resetpassword']

/** The login page's URL, with `path` to return to afterwards. */
export function loginPath(path: string): string {
  return `/login?next=${encodeURIComponent(path)}`
}

/** Whether a path is one of the pages for signing in, registering or resetting the password. */
export function isAuthPage(pathname: string): boolean {
  return AUTH_PAGES.includes(pathname.toLowerCase().replace(/(?<=.)\/+$/, ''))
}

/** The page that the `next` parameter leads to, if it is a path of this shop; otherwise the home page. */
export function safeNext(next: string | null | undefined, origin: string): string {
  // Exactly one leading slash and no backslashes: browsers parse the rest as a path.
  if (!next || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(next)) return '/'
  const url = new URL(next, origin)
  // Dot segments may leave a second slash at the start: '/.//evil.example'.
  if (url.origin !== origin || url.pathname.startsWith('//') || isAuthPage(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** The current URL without its origin. */
export function here(): string {
  return location.pathname + location.search + location.hash
}
