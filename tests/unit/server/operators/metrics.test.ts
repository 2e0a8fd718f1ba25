import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMetrics } from '#server/operators/metrics/metrics.ts'
import { ROOT } from '#scripts/run.mjs'
import { freePort } from '#tests/support/ports.ts'

async function open() {
  const at = { host: '127.0.0.1', port: await freePort() }
  const metrics = openMetrics(pino({ level: 'silent' }))
  await metrics.listen(at, null)
  return { metrics, scrape: async () => (await fetch(`http://${at.host}:${at.port}/metrics`)).text() }
}

test('a defect is counted, a busy shop and a missing page are not', async () => {
  const { metrics, scrape } = await open()
  const defects = async () => /^piazza_internal_errors_total (\d+)$/m.exec(await scrape())?.[1]
  const respond = (statusCode: number) => {
    const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: true })
    metrics.request({ method: 'GET', url: '/' } as IncomingMessage, response as unknown as ServerResponse)
    response.emit('close')
  }
  expect(await defects()).toBe('0')

  for (const status of [200, 404, 500, 503]) respond(status)

  expect(await defects()).toBe('1')
})

test('the dashboard shows each of the shop’s own metrics', async () => {
  const { scrape } = await open()
  const dashboard = readFileSync(join(ROOT, 'deploy/grafana.json'), 'utf8')
  const shown = new Set(dashboard.match(/piazza_\w+/g)?.map(name => name.replace(/_(bucket|sum|count)$/, '')))

  const own = Array.from((await scrape()).matchAll(/^# TYPE (piazza_\w+)/gm), ([, name]) => name!)

  expect(own.length).toBeGreaterThan(10)
  expect(own.filter(name => !shown.has(name))).toEqual([])
})
