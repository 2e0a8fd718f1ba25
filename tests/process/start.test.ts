import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { freePort } from '#tests/support/ports.ts'
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

function endGroup(leader: number | undefined): void {
  try {
    if (leader) process.kill(-leader, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}
