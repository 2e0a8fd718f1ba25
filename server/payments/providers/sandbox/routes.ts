import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Env } from '#server/http/env.ts'
import { MalformedError, NotFoundError } from '#server/platform/errors.ts'
import { modalPage } from './modal.ts'
import { METHODS } from './numbers.ts'
import { type Sandbox, SANDBOX_PATH } from './sandbox.ts'

const FILES = {
  'checkout.js': 'text/javascript; charset=utf-8',
  'modal.js': 'text/javascript; charset=utf-8',
  'modal.css': 'text/css; charset=utf-8',
}
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')
const MAX_LENGTH = 200

const Payment = z.object({
  reference: z.string().check(z.maxLength(MAX_LENGTH)),
  method: z.enum(METHODS),
  number: z.string().check(z.maxLength(MAX_LENGTH)),
})

/** Serves the sandbox's script, frame and payment call from the shop's own origin; a real provider has its own. */
export function sandboxRoutes(app: Hono<Env>, sandbox: Pick<Sandbox, 'read' | 'pay'>): void {
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8')
    app.get(`${SANDBOX_PATH}/${name}`, c => c.body(text, 200, { 'Content-Type': type }))
  }

  app.get(`${SANDBOX_PATH}/modal`, async c => {
    const reference = (c.req.query('tx_ref') ?? '').slice(0, MAX_LENGTH)
    const payment = await sandbox.read(reference)
    if (!payment) throw new NotFoundError('There is no such payment')
    c.header('Content-Security-Policy', POLICY)
    c.header('Referrer-Policy', 'no-referrer')
    return c.html(modalPage({ reference, ...payment }))
  })

  app.post(`${SANDBOX_PATH}/pay`, async c => {
    await c.get('limits').take('api', c.get('ip'))
    const body = Payment.safeParse(await c.req.json().catch(() => null))
    if (!body.success) throw new MalformedError('Malformed request')
    const { reference, method, number } = body.data
    return c.json({ status: await sandbox.pay(reference, method, number) })
  })
}
