import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { rounds } from '#tests/support/rounds.ts'
import { IN_CONTAINER, type Server, startServer } from '#tests/support/processes/server-process.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'

const RACERS = rounds(2, 20)
const ROUNDS = rounds(2, 3)
const TIMEOUT = { timeout: 600_000 }
const SUSPENDED_MS = rounds(1000, 20_000)

const LIMITS = ['register', 'loginPerIp', 'api'].map(name => `${name}=100000/1m`).join(',')
const { environment, remove } = await makeShopData(undefined, { LIMITS })
afterAll(remove)

const servers: Server[] = []
/** Customers whose registration a shop has confirmed. */
const customers: ReturnType<typeof newcomer>[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.kill()))
})

async function start(within?: string[]): Promise<Server> {
  const server = await startServer(environment, within)
  servers.push(server)
  return server
}

async function registerAt({ api }: Server): Promise<void> {
  const customer = newcomer()
  await api.register(customer)
  customers.push(customer)
}

async function expectAllCustomersAt({ api }: Server): Promise<void> {
  for (const { email, password } of customers)
    await expect(api.login({ email, password })).resolves.toMatchObject({ token: expect.any(String) })
}

test(`of ${RACERS} shops that start at once on one folder, one opens and keeps every row`, TIMEOUT, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const racers = await Promise.all(Array.from({ length: RACERS }, () => start()))
    const areOpen = await Promise.all(racers.map(racer => racer.opens()))

    const [winner, ...others] = racers.filter((_, index) => areOpen[index])
    expect(others).toEqual([])
    for (const loser of racers.filter(racer => racer !== winner)) {
      const { code, said } = await loser.ended
      expect(code).toBe(1)
      expect(said).toContain(`is in use by another Piazza process (pid ${winner?.pid},`)
    }
    // Customers whom earlier winners confirmed before they were killed.
    await expectAllCustomersAt(winner!)
    for (let count = 0; count < 3; count += 1) await registerAt(winner!)
    await winner!.kill()
  }
})

test(
  'a shop in another container does not use a data folder whose owner is suspended, until the owner dies',
  TIMEOUT,
  async () => {
    const first = await start(IN_CONTAINER)
    expect(await first.opens()).toBe(true)
    await registerAt(first)

    first.signal('SIGSTOP')
    const suspended = sleep(SUSPENDED_MS)
    const { code, said } = await (await start(IN_CONTAINER)).ended
    await suspended
    first.signal('SIGCONT')

    expect(code).toBe(1)
    expect(said).toMatch(IN_CONTAINER.length > 0 ? /pid \d+ on host .+, in another container/ : `pid ${first.pid},`)
    await registerAt(first)
    await expectAllCustomersAt(first)

    await first.kill()
    const next = await start(IN_CONTAINER)
    expect(await next.opens()).toBe(true)
    await expectAllCustomersAt(next)
  },
)
