import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'

export interface RefreshCookie {
  read(c: Context): string | undefined
  write(c: Context, refreshToken: string, expiresAt: Date): void
  clear(c: Context): void
}

const NAME = 'rt'

/**
 * The cookie that holds the refresh token, hidden from scripts. On https it is bound to this host (`__Host-rt`); on
 * http it is called `rt`, because some browsers reject the prefix there.
 */
export function refreshCookie(publicUrl: string): RefreshCookie {
  const isSecure = publicUrl.startsWith('https:')
  const prefix = isSecure ? 'host' : undefined
  const options: CookieOptions = {
    path: '/',
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    ...(isSecure && { prefix: 'host' }),
  }
  return {
    read: c => getCookie(c, NAME, prefix as 'host'),
    write: (c, refreshToken, expiresAt) => {
      const maxAge = Math.max(Math.floor((expiresAt.getTime() - Date.now()) / 1000), 0)
      setCookie(c, NAME, refreshToken, { ...options, maxAge })
    },
    clear: c => void deleteCookie(c, NAME, options),
  }
}
