import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { getHealth } from '#contract/health.ts'
import type { Limits } from '#server/http/limits.ts'
import type { Env } from '#server/http/env.ts'
import { mount } from '#server/http/mount.ts'

test('a call whose client has disconnected is counted but not handled', async () => {
  const take = vi.fn<Limits['take']>(async () => undefined)
  const handle = vi.fn<() => never>()
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('limits', { take } as unknown as Limits)
    c.set('ip', '1.2.3.4')
    await next()
  })
  mount(app, getHealth, handle)
  app.onError((error, c) => c.json({ error: error.name }, 500))
  const request = new Request('http://shop.test/health', { signal: AbortSignal.abort() })

  const response = await app.fetch(request)

  expect(await response.json()).toEqual({ error: 'AbandonedError' })
  expect(take).toHaveBeenCalledWith('api', '1.2.3.4')
  expect(handle).not.toHaveBeenCalled()
})
