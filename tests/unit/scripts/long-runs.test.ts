import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { longRuns } from '#scripts/test/long-runs.ts'

describe('the long test runs', () => {
  test.each([
    ['tests/unit/server/orders/pricing.test.ts', ['unit']],
    ['tests/api/payments/silent-payments.test.ts', ['pglite', 'postgres']],
    ['tests/operators/restarts.long.test.ts', ['pglite', 'postgres']],
    ['tests/process/many-logins.test.ts', ['pglite']],
    ['tests/postgres/order-races.test.ts', ['postgres']],
    ['tests/api/cart/cart.test.ts', []],
  ])('run %s, if it repeats something, on each database that it can use: %j', (file, expected) => {
    const runs = longRuns().filter(({ files }) => files.includes(file))
    expect(runs.map(({ name }) => name)).toEqual(expected)
  })

  test('set TEST_FAULTS', () => {
    for (const { env } of longRuns()) expect(env).toMatchObject({ TEST_FAULTS: 'on' })
  })

  test('include all files in tests/faults', () => {
    const files = longRuns().find(({ name }) => name === 'faults')?.files
    expect(files?.toSorted()).toEqual(globSync('tests/faults/**/*.test.ts').toSorted())
  })

  test('can be selected by a part of their file names', () => {
    const chosen = longRuns(['injected-texts']).map(({ name, files }) => [name, files])
    const file = 'tests/api/chat/injected-texts.test.ts'
    expect(chosen).toEqual([
      ['pglite', [file]],
      ['postgres', [file]],
    ])
    expect(longRuns(['no such file'])).toEqual([])
  })
})
