import { afterAll, expect, inject, test, vi } from 'vitest'
import { printFigure } from '#tests/support/faults/figures.ts'
import { addShippable, assertInvariants, orderOf, ordersOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { startRelay } from '#tests/support/fakes/relay.ts'
import { promised, rounds } from '#tests/support/rounds.ts'
import { startWriters } from '#tests/support/provider/writers.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const RECOVERY_MS = 15_000

const cluster = new URL(inject('postgresUrl')!)
let onSent: (bytes: Buffer) => void = () => undefined
const relay = await startRelay(Number(cluster.port), { onSent: bytes => onSent(bytes) })
const provider = await startProvider({
  cluster: Object.assign(new URL(cluster), { port: relay.port }).href,
  limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m,login=100000/1m',
})
const { db } = provider
// Silences stderr: audit events that cannot be stored are written there.
const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
afterAll(async () => {
  quiet.mockRestore()
  await provider.close()
  await relay.close()
})

test(
  'orders and sign-ins work again within 15 s after all database connections stop responding',
  { timeout: 300_000 },
  async () => {
    const changes: (string | null)[] = []
    await provider.database.onChange(tag => void changes.push(tag))
    const ada = await provider.customer()
    const writers = await startWriters(provider)
    const { acknowledged, refusals } = writers
    const recoveries: number[] = []
    try {
      for (let round = 0; round < rounds(1, 5); round += 1) {
        const placed = acknowledged.length
        await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(placed + writers.count)

        relay.freeze()
        changes.length = 0
        const began = performance.now()
        const known = acknowledged.length

        await expect.poll(() => acknowledged.length, promised(RECOVERY_MS)).toBeGreaterThan(known + writers.count)
        recoveries.push(performance.now() - began)
        await provider.api.login({ email: ada.email, password: ada.password })
        // Changes may have been missed, so all pages count as changed.
        await expect.poll(() => changes, promised(RECOVERY_MS)).toContain(null)
      }
    } finally {
      await writers.stop()
    }
    const times = recoveries.map(Math.round).join(', ')
    console.log(`${acknowledged.length} orders, ${refusals.length} refusals`)
    printFigure('orders again after connections died silently', `${times} ms`, '15 s')

    await writers.examine()
  },
)

test.each([
  ['reaches PostgreSQL', () => setImmediate(relay.freeze)],
  ['is lost', relay.freeze],
])('an order whose COMMIT %s without a response gets 503, and a retry places it only once', async (_, freeze) => {
  const ada = await provider.customer()
  const product = await addShippable(db, { stock: 3 })
  const order = orderOf(ada.id, [product])
  onSent = bytes => {
    if (!bytes.includes('commit')) return
    onSent = () => undefined
    freeze()
  }

  await expect(ada.api.placeOrder(order)).rejects.toMatchObject({ status: 503 })
  // PostgreSQL releases the locks of the lost connection within seconds.
  const { orderId } = await vi.waitFor(() => ada.api.placeOrder(order), { ...promised(RECOVERY_MS), interval: 500 })

  expect((await ordersOf(ada)).map(({ _id }) => _id)).toEqual([orderId])
  await assertInvariants(db, { initialStock: new Map([[product.variantId, 3]]) })
})
