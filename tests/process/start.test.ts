import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { freePort } from '#tests/support/ports.ts'
import { startServer } from '#tests/support/processes/server-process.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'

const START_MS = 120_000
const CLOSE_MS = 60_000

const { environment, remove } = await makeShopData(undefined)
afterAll(remove)

test('a shop started by npm ends when npm gets SIGTERM', { timeout: START_MS + CLOSE_MS }, async () => {
  const port = String(await freePort())
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: port, PUBLIC_URL: '' },
    stdio: 'ignore',
    // Its own process group, so that leftover processes can be ended too.
    detached: true,
  })
  const isOpen = () =>
    fetch(`http://127.0.0.1:${port}/api${getHealth.path}`).then(
      () => true,
      () => false,
    )
  try {
    await expect.poll(isOpen, { timeout: START_MS }).toBe(true)
    npm.kill('SIGTERM')
    await expect.poll(isOpen, { timeout: CLOSE_MS }).toBe(false)
  } finally {
    endGroup(npm.pid)
  }
})

test('a shop whose port for metrics is taken names the variable of that port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const shop = await startServer({ ...environment, METRICS_PORT: String(port) })
  onTestFinished(shop.kill)

  const { code, said } = await shop.ended

  expect(code).toBe(1)
  expect(said).toContain(`Something listens on 127.0.0.1:${port} already. Choose another port: METRICS_PORT=`)
})

function endGroup(leader: number | undefined): void {
  try {
    if (leader) process.kill(-leader, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}
