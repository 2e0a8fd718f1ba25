import type { Context, Hono } from 'hono'
import * as contract from '#contract/auth.ts'
import * as sessionContract from '#contract/session.ts'
import { keyFrom } from '../http/client-address.ts'
import type { Db } from '../db/types.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf } from '../http/mount.ts'
import { AbandonedError } from '../platform/bounded-queue.ts'
import { rejectEmbedded } from '../http/csrf.ts'
import { type Customer, login, mailboxOf, normaliseEmail, register, wrongLogin } from './customers.ts'
import { shortUserAgent } from './device.ts'
import type { Passwords } from './passwords.ts'
import type { Rotated } from './session-rotation.ts'
import type { Sessions, StartOptions } from './sessions.ts'
import { invalidToken, noToken } from './tokens.ts'
import { refreshCookie } from './refresh-cookie.ts'

interface Options {
  db: Db
  sessions: Sessions
  passwords: Passwords
  jobs: Jobs
  config: { publicUrl: string; hasCookieFallback: boolean }
}

const SAFARI = /^(?!.*(chrome|chromium|crios|fxios|edg|opr\/|android)).*safari/i

export function authRoutes(app: Hono<Env>, { db, sessions, passwords, jobs, config }: Options): void {
  const cookie = refreshCookie(config.publicUrl)

  /**
   * Starts a session. A browser that sends no cookies may not store them: if configured, the bearer then replaces the
   * cookie.
   */
  async function startSession(c: Context<Env>, customer: Customer, message: string, options: StartOptions = {}) {
    const isFallback = config.hasCookieFallback && c.req.header('cookie') === undefined
    const userAgent = shortUserAgent(c.req.header('user-agent'))
    const { token, refreshToken, expiresAt } = await sessions.start(customer, { ...options, isFallback, userAgent })
    cookie.write(c, refreshToken, expiresAt)
    return { token, message, isSafari: isSafari(c), cookieFallback: isFallback }
  }

  /**
   * Logs a customer in. Only wrong logins, and attempts whose client disconnects, count against the limits for guesses.
   */
  async function logIn(c: Context<Env>, credentials: contract.Login) {
    const limits = c.get('limits')
    const ip = c.get('ip')
    const account = keyFrom(ip, normaliseEmail(credentials.email))
    const giveBack = () => Promise.all([limits.giveBack('loginPerIp', ip), limits.giveBack('login', account)])
    // The account's limit comes first, so that attempts which it rejects do not use up the limit of the whole address.
    await limits.take('login', account)
    await limits.take('loginPerIp', ip).catch(async (error: unknown) => {
      await limits.giveBack('login', account)
      throw error
    })
    await limits.take('logins', account).catch(async (error: unknown) => {
      await giveBack()
      throw error
    })
    const customer = await login({ db, passwords }, credentials, originOf(c), c.req.raw.signal).catch(
      async (error: unknown) => {
        // The attempt of a client that disconnects before the response still counts.
        if (!(error instanceof AbandonedError)) await giveBack()
        throw error
      },
    )
    if (!customer) throw wrongLogin()
    await giveBack()
    return customer
  }

  async function rotate(c: Context<Env>): Promise<Rotated> {
    const refreshToken = cookie.read(c)
    if (!refreshToken && !config.hasCookieFallback) throw noToken()
    const authorization = c.req.header('authorization')
    // Counted by session only if the token is genuine, so that forged tokens cannot use up a customer's limit.
    await c.get('limits').take('refresh', (await sessions.provenBy(refreshToken, authorization)) ?? c.get('ip'))
    const origin = originOf(c)
    return refreshToken ? sessions.rotate(refreshToken, origin) : sessions.rotateBearer(authorization, origin)
  }

  mount(
    app,
    contract.register,
    async (registration, c) => {
      const limits = c.get('limits')
      await limits.take('register', c.get('ip'))
      const mailbox = keyFrom(c.get('ip'), mailboxOf(normaliseEmail(registration.email)))
      const isMailed = await limits.allows('confirmationMailPerMailbox', mailbox)
      const opened = { ...registration, isMailed }
      const customer = await register({ db, passwords, jobs }, opened, originOf(c), c.req.raw.signal)
      return startSession(c, customer, 'Register success')
    },
    { status: 201 },
  )

  mount(
    app,
    contract.login,
    async (credentials, c) => {
      const { passwordHash, ...customer } = await logIn(c, credentials)
      return startSession(c, customer, 'Login success', { passwordHash, event: 'login', origin: originOf(c) })
    },
    { status: 201 },
  )

  mount(app, sessionContract.refreshToken, async (_input, c) => {
    const rotated = await rotate(c)
    if (rotated.outcome !== 'rotated') throw invalidToken()
    const { token, refreshToken, expiresAt, isFallback } = rotated
    if (refreshToken) cookie.write(c, refreshToken, expiresAt)
    return { token, isSafari: isSafari(c), cookieFallback: isFallback }
  })

  mount(app, sessionContract.logout, async (_input, c) => {
    // An embedded image, a link or a prefetch must not sign a customer out.
    rejectEmbedded(c)
    await sessions.signOut(c.req.header('authorization'), cookie.read(c), originOf(c))
    cookie.clear(c)
    return { message: 'Logout success' }
  })
}

function isSafari(c: Context): boolean {
  return SAFARI.test(c.req.header('user-agent') ?? '')
}
