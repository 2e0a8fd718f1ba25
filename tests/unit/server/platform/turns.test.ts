import { expect, test } from 'vitest'
import { openTurns } from '#server/platform/turns.ts'

test('work with the same key runs in order, also after failures, and other keys do not wait', async () => {
  const { inTurn, count } = openTurns()
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const begun: string[] = []
  const begin = (name: string, gate: Promise<void>) => () => {
    begun.push(name)
    return gate
  }
  const adas = gates.map(({ promise }, at) => inTurn('ada', begin(`ada ${at}`, promise)))
  await inTurn('bob', begin('bob', Promise.resolve()))
  expect(begun).toEqual(['ada 0', 'bob'])

  gates[1]?.reject(new Error('no room'))
  gates[0]?.resolve()
  await expect(adas[1]).rejects.toThrow('no room')
  await expect.poll(() => begun).toEqual(['ada 0', 'bob', 'ada 1', 'ada 2'])
  expect(count()).toBe(1)

  gates[2]?.resolve()
  await adas[2]
  expect(count()).toBe(0)
})
