import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMetrics } from '#server/operators/metrics/metrics.ts'
import { freePort } from '#tests/support/ports.ts'

test('a defect is counted, a busy shop and a missing page are not', async () => {
  const at = { host: '127.0.0.1', port: await freePort() }
  const metrics = openMetrics(pino({ level: 'silent' }))
  await metrics.listen(at, null)
  const defects = async () => {
    const text = await (await fetch(`http://${at.host}:${at.port}/metrics`)).text()
    return /^piazza_internal_errors_total (\d+)$/m.exec(text)?.[1]
  }
  const respond = (statusCode: number) => {
    const response = Object.assign(new EventEmitter(), { statusCode, writableFinished: true })
    metrics.request({ method: 'GET', url: '/' } as IncomingMessage, response as unknown as ServerResponse)
    response.emit('close')
  }
  expect(await defects()).toBe('0')

  for (const status of [200, 404, 500, 503]) respond(status)

  expect(await defects()).toBe('1')
})
