import type { Hono } from 'hono'
import { getHealth } from '#contract/health.ts'
import type { Database } from '../db/types.ts'
import type { Env } from './env.ts'
import { mount } from './mount.ts'
import { openHealth } from './health.ts'

export function healthRoutes(app: Hono<Env>, database: Database): void {
  mount(app, getHealth, openHealth(database))
}
