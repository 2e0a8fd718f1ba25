import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { login } from '#contract/auth.ts'
import { getCategories } from '#contract/catalogue.ts'
import { printFigure } from '#tests/support/faults/figures.ts'
import { startFloodedShop } from '#tests/support/faults/flooded-shop.ts'
import { requestText } from '#tests/support/faults/raw-connection.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const GROWTH_MB = 150
const SOCKETS = 50

let shop: Awaited<ReturnType<typeof startFloodedShop>>
beforeAll(async () => {
  shop = await startFloodedShop()
})
afterEach(() => shop?.leave())
afterAll(() => shop?.close())

test.each([
  ['a stored page', ''],
  ['a picture', 'br'],
] as const)(
  'clients that request %s, accept "%s" and read nothing do not make the shop’s memory grow',
  async (kind, encoding) => {
    const { grownMb, statuses } = await shop.flood(kind, { encoding, connections: 60, ms: 1500 })

    expect(grownMb).toBeLessThan(GROWTH_MB)
    expect(statuses).toEqual([200])
  },
)

test('clients that never finish a request are disconnected and do not delay the health check', async () => {
  const headers = await shop.drip('GET / HTTP/1.1\r\nhost: shop.test\r\nx-slow: ', SOCKETS)
  await shop.drip(requestText(`/api${login.path}`, { 'content-length': '1000' }, 'POST'), SOCKETS)

  const startedAt = performance.now()
  const cut = new AbortController()
  void Promise.all(headers.map(({ closed }) => closed)).then(() => cut.abort())
  let slowest = 0
  while (!cut.signal.aborted) {
    slowest = Math.max(slowest, await shop.healthMs())
    await sleep(50)
  }

  printFigure(`/api${getHealth.path} beside ${2 * SOCKETS} slow clients`, `within ${slowest.toFixed(0)} ms`, '1000 ms')
  printFigure(
    'clients that never end a request',
    `cut off after ${(performance.now() - startedAt).toFixed(0)} ms`,
    '10 s',
  )
  expect(await shop.visit()).toEqual([200, 200, 200, 200])
})

const FEWER_THAN_OPEN = 4
/** Addresses not requested before. Each opens a file: code, a picture or a database. */
const UNOPENED = ['/login', '/register', '/stores', '/order/1', '/cart', '/nothing-here', '/products?pageNumber=2']

test('requests that need a file get 503 while no more files can be opened; other requests work', async () => {
  const { picture, script } = shop.addresses
  const pictures = ['160.webp', '320.webp', '640.avif', '640.webp'].map(name => `${picture}/${name}`)
  const paths = [...UNOPENED, ...pictures, script, '/products', `/api${getHealth.path}`, `/api${getCategories.path}`]
  const clients = await Promise.all(paths.map(() => shop.open()))
  for (const { socket } of clients) socket.write(requestText('/products', {}, 'HEAD'))
  await vi.waitFor(() => expect(clients.every(({ statuses }) => statuses().length === 1)).toBe(true), PATIENCE)

  const restore = limitDescriptors(shop.pid, FEWER_THAN_OPEN)
  const starved: Record<string, number> = {}
  const silent: string[] = []
  try {
    for (const [at, path] of paths.entries()) {
      const { socket, statuses, received } = clients[at]!
      socket.write(requestText(path))
      await vi.waitFor(() => expect(statuses()).toHaveLength(2), PATIENCE)
      starved[path] = statuses()[1]!
      if (starved[path] === 503 && !/retry-after: \d/i.test(received())) silent.push(path)
    }
  } finally {
    restore()
  }

  expect(silent, 'A 503 must say when to come again').toEqual([])
  console.log('Without file descriptors:', starved)
  expect(Object.values(starved).filter(status => ![200, 404, 503].includes(status))).toEqual([])
  expect(starved).toMatchObject({ [script]: 200, '/products': 200, [`${picture}/640.webp`]: 503 })
  for (const path of paths) expect([200, 302, 404]).toContain((await fetch(shop.url + path)).status)
})

/** Limits a process’s open files. Returns a function that restores the old limit. */
function limitDescriptors(pid: number, count: number): () => void {
  const prlimit = (...args: string[]) => execFileSync('prlimit', ['--pid', String(pid), ...args], { encoding: 'utf8' })
  const before = prlimit('--nofile', '--output=SOFT', '--noheadings').trim()
  prlimit(`--nofile=${count}:`)
  return () => void prlimit(`--nofile=${before}:`)
}
