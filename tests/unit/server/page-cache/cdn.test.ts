import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CDN_SERVICES, type CdnService } from '#server/page-cache/cdn/config.ts'
import { keysOfChanges } from '#server/page-cache/cdn/keys.ts'
import { openCdnPurger } from '#server/page-cache/cdn/purger.ts'
import type { Lease } from '#server/platform/leases.ts'
import { startFakeCdn } from '#tests/support/fakes/fake-cdn.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { fakePages } from '#tests/support/pages.ts'

const closing: (() => unknown)[] = []
const warn = vi.fn<() => void>()
beforeEach(() => warn.mockReset())
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A lease of which one holder at a time has it. */
function shared() {
  const state: { holder: number | null; wasBehind: boolean } = { holder: null, wasBehind: false }
  let count = 0
  const open = (): Lease => {
    const own = (count += 1)
    return {
      async hold(isBehind) {
        if (state.holder === own) return 'kept'
        if (state.holder !== null) return false
        const { wasBehind } = state
        Object.assign(state, { holder: own, wasBehind: isBehind })
        return { wasBehind }
      },
      release: async isBehind => void Object.assign(state, { holder: null, wasBehind: isBehind }),
    }
  }
  return { open, vanish: (wasBehind = false) => void Object.assign(state, { holder: null, wasBehind }) }
}

async function startCdn(service: CdnService, origin?: () => string) {
  const cdn = await startFakeCdn(service, origin)
  closing.push(cdn.close)
  return cdn
}

async function openPurger(cdn: Awaited<ReturnType<typeof startCdn>>, lease = shared().open()) {
  const before = cdn.purges.length
  const times = { batchMs: 20, retryMs: 20, renewMs: 20 }
  const purger = openCdnPurger({ cdn: cdn.config, lease, log: { warn }, ...times })
  closing.push(purger.close)
  // Its start purges all pages.
  await vi.waitFor(() => expect(cdn.purges.length).toBe(before + 1), PATIENCE)
  cdn.purges.length = 0
  return purger
}

/** A shop whose pages show `text` and are kept by a CDN. */
async function startPages(service: CdnService, tagsOf: (url: string) => string[]) {
  let url = ''
  const cdn = await startCdn(service, () => url)
  const shown = { text: 'old' }
  const { pages } = fakePages(path => ({ text: shown.text, tags: tagsOf(path) }), { cdn: cdn.config })
  const origin = await listen((req, res) => void pages.serve(req, res))
  closing.push(origin.close)
  ;({ url } = origin)
  const purger = await openPurger(cdn)
  return {
    cdn,
    shown,
    visit: async (path: string) => (await fetch(cdn.url + path)).text(),
    change(tag: string) {
      pages.purge(tag)
      purger.purge(tag)
    },
  }
}

describe.each(CDN_SERVICES)('%s', service => {
  test('keeps a page until its data changes, and keeps the other pages', async () => {
    const { shown, visit, change } = await startPages(service, path => [`product:${path}`])
    expect([await visit('/product/jar'), await visit('/product/bowl')]).toEqual(['old', 'old'])
    shown.text = 'new'
    expect(await visit('/product/jar')).toBe('old')

    change('product:/product/jar')

    await vi.waitFor(async () => expect(await visit('/product/jar')).toBe('new'), PATIENCE)
    expect(await visit('/product/bowl')).toBe('old')
  })

  test('receives a thousand changes in few requests, each change once', async () => {
    const cdn = await startCdn(service)
    const purger = await openPurger(cdn)

    for (let count = 0; count < 1000; count += 1) purger.purge(`product:${count}`)

    await vi.waitFor(() => expect(new Set(cdn.purges.flat()).size).toBe(1001), PATIENCE)
    expect(cdn.purges.length).toBeLessThanOrEqual(Math.ceil(1000 / 99))
    expect(cdn.purges.flat().length).toBe(1000 + cdn.purges.length)
  })

  test('gets changes that it has rejected again until it accepts them', async () => {
    const cdn = await startCdn(service)
    const purger = await openPurger(cdn)
    cdn.reject(3)

    purger.purge('product:jar')

    await vi.waitFor(() => expect(cdn.purges.length).toBe(1), PATIENCE)
    expect(warn).toHaveBeenCalledOnce()
  })
})

test('each change is sent to every address of a CDN', async () => {
  const [one, other] = [await startCdn('varnish'), await startCdn('varnish')]
  const config = { ...one.config, urls: [...one.config.urls, ...other.config.urls] }
  const purger = await openPurger({ ...one, config })
  await vi.waitFor(() => expect(other.purges).toEqual([['pages']]), PATIENCE)

  purger.purge('product:jar')

  await vi.waitFor(() => expect([one.purges.length, other.purges.length]).toEqual([1, 2]), PATIENCE)
  expect(other.purges.at(-1)).toEqual(one.purges[0])
})

test('more than two thousand changes at once purge all pages, in one request', async () => {
  const cdn = await startCdn('fastly')
  const purger = await openPurger(cdn)

  for (let count = 0; count <= 2000; count += 1) purger.purge(`product:${count}`)

  await purger.close()
  expect(cdn.purges).toEqual([['pages']])
})

describe('a CDN that rejects changes', () => {
  test('is named in the log once, until it has accepted them', async () => {
    const cdn = await startCdn('fastly')
    const purger = await openPurger(cdn)
    const [url] = cdn.config.urls
    const said = [{ err: new Error('The CDN responded with 429'), url }, 'changes could not be reported to the CDN']

    for (const times of [1, 2]) {
      cdn.reject(2)
      purger.purge('product:jar')
      await vi.waitFor(() => expect(cdn.purges.length).toBe(times), PATIENCE)
    }

    expect(warn.mock.calls).toEqual([said, said])
  })

  test('gets them with those made since', async () => {
    const cdn = await startCdn('fastly')
    const purger = await openPurger(cdn)
    cdn.reject(1)
    purger.purge('product:jar')
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), PATIENCE)

    purger.purge('product:bowl')

    await vi.waitFor(() => expect(cdn.purges.length).toBe(1), PATIENCE)
    expect(cdn.purges[0]?.length).toBe(3)
  })

  test('purges all pages later if that was rejected', async () => {
    const cdn = await startCdn('cloudflare')
    const purger = await openPurger(cdn)
    cdn.reject(1)

    purger.purge(null)

    await vi.waitFor(() => expect(cdn.purges).toEqual([['pages']]), PATIENCE)
  })

  test('does not keep the shop from closing, and the next process purges all pages', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    const purger = await openPurger(cdn, lease.open())
    await openPurger(cdn, lease.open())
    cdn.reject(2)
    purger.purge('product:jar')
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), PATIENCE)

    await purger.close()

    await vi.waitFor(() => expect(cdn.purges).toEqual([['pages']]), PATIENCE)
  })
})

test('a page with more tags than fit into its headers is purged by each of them', async () => {
  const tags = Array.from({ length: 500 }, (_, at) => `product:${at}`)
  const { shown, visit, change } = await startPages('fastly', () => tags)
  await visit('/products')
  shown.text = 'new'

  change('product:499')

  await vi.waitFor(async () => expect(await visit('/products')).toBe('new'), PATIENCE)
})

describe('of several processes', () => {
  test('one reports a change', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    const purgers = [await openPurger(cdn, lease.open()), await openPurger(cdn, lease.open())]

    for (const tag of ['product:jar', 'product:bowl']) {
      purgers.forEach(purger => purger.purge(tag))
      await vi.waitFor(() => expect(cdn.purges.length).toBeGreaterThan(0), PATIENCE)
    }
    for (const purger of purgers) await purger.close()

    const reported = cdn.purges.flat().filter(key => key !== 'many')
    expect(reported.length).toBe(new Set(reported).size)
    expect(reported.length).toBe(2)
  })

  test('another reports what one that vanished has not', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    const vanished = lease.open()
    await vanished.hold(false)
    const other = await openPurger(cdn, lease.open())
    other.purge('product:jar')

    lease.vanish()

    await vi.waitFor(() => expect(cdn.purges).toEqual([keysOfChanges(['product:jar'])]), PATIENCE)
  })

  test('the next one reports what has changed once, and then as it changes', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    await lease.open().hold(false)
    const other = await openPurger(cdn, lease.open())
    other.purge('product:jar')
    lease.vanish()
    await vi.waitFor(() => expect(cdn.purges.length).toBe(1), PATIENCE)

    lease.vanish()
    other.purge('product:bowl')

    await vi.waitFor(() => expect(cdn.purges.at(-1)).toEqual(keysOfChanges(['product:bowl'])), PATIENCE)
    expect(cdn.purges.length).toBe(2)
  })

  test('the next one purges all pages when the last one had reports to make', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    await lease.open().hold(false)
    await openPurger(cdn, lease.open())

    lease.vanish(true)

    await vi.waitFor(() => expect(cdn.purges).toEqual([['pages']]), PATIENCE)
  })

  test('the next one purges all pages when more has changed than it remembers', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    await lease.open().hold(false)
    const other = await openPurger(cdn, lease.open())
    for (let count = 0; count <= 5000; count += 1) other.purge(`product:${count}`)

    lease.vanish()

    await vi.waitFor(() => expect(cdn.purges).toEqual([['pages']]), PATIENCE)
  })

  test('each purges all pages when that is asked for', async () => {
    const cdn = await startCdn('fastly')
    const lease = shared()
    await lease.open().hold(false)
    const other = await openPurger(cdn, lease.open())

    other.purge(null)

    await vi.waitFor(() => expect(cdn.purges).toEqual([['pages']]), PATIENCE)
  })

  test('one that closes leaves the lease to its holder', async () => {
    const lease = shared()
    await lease.open().hold(false)
    const other = await openPurger(await startCdn('fastly'), lease.open())

    await other.close()

    expect(await lease.open().hold(false)).toBe(false)
  })

  test('one that cannot renew its lease says so in the log', async () => {
    const err = new Error('The database cannot be reached')
    const lease: Lease = { hold: () => Promise.reject(err), release: () => Promise.resolve() }
    await openPurger(await startCdn('fastly'), lease)

    const said = [{ err }, 'the lease on purging the CDN could not be renewed']
    await vi.waitFor(() => expect(warn.mock.calls[0]).toEqual(said), PATIENCE)
  })
})
