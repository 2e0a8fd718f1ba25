import type { Hono } from 'hono'
import { getRates } from '#contract/rates.ts'
import { type Env, mount } from '../mount.ts'
import type { Rates } from '../services/rates.ts'

export function ratesRoutes(app: Hono<Env>, rates: Rates): void {
  mount(app, getRates, () => rates.read())
}
