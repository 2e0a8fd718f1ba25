import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { inject } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { queryProducts } from '#contract/catalogue.ts'
import { addProduct } from '../catalogue/catalogue.ts'
import { openConnection, type RawConnection, requestText } from './raw-connection.ts'
import { makeShopData } from '../provider/shop-data.ts'
import { ROOT } from '#scripts/run.mjs'
import { startShop } from '../provider/shop.ts'

export const KINDS = ['a stored page', 'a built file', 'a picture', 'an API response'] as const
export type Kind = (typeof KINDS)[number]

const BUILT = join(ROOT, 'dist/client/_astro')
const PIPELINED = 200
const DRIP_MS = 500
const WARMING = 60

/** A built shop in its own process, with something of each kind to download, and functions that attack it. */
export async function startFloodedShop() {
  const data = await makeShopData(inject('postgresUrl') ?? undefined)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const pixels = await sharp({ create: { width: 1280, height: 1280, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer()
  const picture = await data.within(async ({ database, media }) => {
    for (let at = 0; at < 12; at += 1) await addProduct(database.db, { description: 'A long story. '.repeat(200) })
    return (await media.store(pixels)).hash
  })
  const shop = await startShop(data.environment, { dataDir: data.dataDir })
  const paths: Record<Kind, string> = {
    'a stored page': '/products',
    'a built file': `/_astro/${largestOf(BUILT)}`,
    'a picture': `/media/${picture}/640.webp`,
    'an API response': `/api${queryProducts.path}?lowPrice=0&highPrice=1000`,
  }
  const opened: RawConnection[] = []

  async function open(options = {}): Promise<RawConnection> {
    const connection = await openConnection(shop.url, options)
    opened.push(connection)
    return connection
  }

  function residentMb(): number {
    const status = readFileSync(`/proc/${shop.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
  }

  /** Number of open sockets of the shop. */
  function connectionCount(): number {
    const folder = `/proc/${shop.pid}/fd`
    return readdirSync(folder).filter(name => targetOf(`${folder}/${name}`).startsWith('socket:')).length
  }

  /** Requests one of each kind. Returns the statuses. */
  async function visit(): Promise<number[]> {
    const statuses: number[] = []
    for (const path of Object.values(paths)) {
      const response = await fetch(shop.url + path)
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    return statuses
  }

  // Warm up until the page is compressed at the highest level and hot code is compiled.
  for (let count = 0; count < WARMING; count += 1) await visit()

  return {
    ...shop,
    visit,
    open,
    connectionCount,
    addresses: { picture: `/media/${picture}`, script: paths['a built file'] },

    /** Many clients pipeline 200 requests each without reading; others visit for `ms`. Returns the memory growth. */
    async flood(kind: Kind, { encoding = '', connections = 300, ms = 4000 } = {}) {
      const request = requestText(paths[kind], encoding ? { 'accept-encoding': encoding } : {})
      const before = residentMb()
      for (let count = 0; count < connections; count += 1) {
        const { socket } = await open({ isPaused: true })
        socket.write(request.repeat(PIPELINED))
      }
      const statuses = new Set<number>()
      let most = 0
      for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
        for (const status of await visit()) statuses.add(status)
        most = Math.max(most, residentMb())
      }
      console.log(`${kind}, "${encoding}": ${before.toFixed(0)} MB, then at most ${(most - before).toFixed(0)} more`)
      return { grownMb: most - before, statuses: [...statuses] }
    },

    /** Clients that start a request and never finish it: each sends one byte twice a second. */
    async drip(start: string, count: number): Promise<RawConnection[]> {
      const connections = await Promise.all(Array.from({ length: count }, () => open()))
      for (const { socket, closed } of connections) {
        socket.write(start)
        const dripping = setInterval(() => socket.writable && socket.write('x'), DRIP_MS)
        void closed.then(() => clearInterval(dripping))
      }
      return connections
    },

    /** Duration of a request to /api/health. Throws if the status is not 200. */
    async healthMs(): Promise<number> {
      const startedAt = performance.now()
      const { status } = await fetch(`${shop.url}/api${getHealth.path}`)
      if (status !== 200) throw new Error(`/api${getHealth.path} responded with ${status}`)
      return performance.now() - startedAt
    },

    /** Resets all connections. */
    leave(): void {
      for (const { socket } of opened.splice(0)) socket.resetAndDestroy()
    },

    async close(): Promise<void> {
      await shop.stop()
      await data.remove()
    },
  }
}

function largestOf(folder: string): string {
  const scripts = readdirSync(folder).filter(name => name.endsWith('.js'))
  const sizeOf = (name: string) => statSync(join(folder, name)).size
  return scripts.reduce((largest, name) => (sizeOf(name) > sizeOf(largest) ? name : largest))
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // It was closed in the meantime.
    return ''
  }
}
