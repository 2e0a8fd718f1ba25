import type { Hono } from 'hono'
import { getRates } from '#contract/currencies.ts'
import type { Env } from '../http/env.ts'
import { mount } from '../http/mount.ts'
import type { Rates } from './rates.ts'

export function ratesRoutes(app: Hono<Env>, rates: Rates): void {
  mount(app, getRates, () => rates.read())
}
