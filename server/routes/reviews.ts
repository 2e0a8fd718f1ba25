import type { Hono } from 'hono'
import * as contract from '#contract/reviews.ts'
import type { Db } from '../db/open.ts'
import { type Env, mount } from '../mount.ts'
import { readReviews } from '../services/reviews.ts'

export function reviewRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getReviews, ({ productId, page }) => readReviews(db, productId, page))
}
