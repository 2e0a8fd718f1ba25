import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#tests/support/ports.ts'
import { buildImage } from '#tests/support/processes/image.ts'

const MINUTES = 60_000

test(
  'the image runs without rights, says that it is healthy, serves pages, and ends on SIGTERM',
  { timeout: 30 * MINUTES },
  async () => {
    const { command, healthCheck, run, close } = await buildImage()
    onTestFinished(close, 10 * MINUTES)
    const env = { HOST: '127.0.0.1', PORT: String(await freePort()), DRAIN_SECONDS: '0' }

    const writing = await run(['sh', '-c', 'id -un; touch server.txt || touch /usr/local/bin/shop'])
    const before = await run(healthCheck, env)
    // Processes have the same numbers in this container as outside.
    const shop = run(['sh', '-c', 'echo $$ > /tmp/shop.pid; exec "$@"', 'sh', ...command], env)
    let page: string
    try {
      await vi.waitFor(async () => expect((await run(healthCheck, env)).code).toBe(0), { timeout: 3 * MINUTES })
      page = await (await fetch(`http://127.0.0.1:${env.PORT}`)).text()
    } finally {
      process.kill(Number((await run(['cat', '/tmp/shop.pid'])).output), 'SIGTERM')
    }
    const { code } = await shop

    expect(writing).toMatchObject({ code: 1, output: 'node\n' })
    expect(before.code).toBe(1)
    expect(page).toContain('</html>')
    expect(code).toBe(0)
  },
)
