import { expect, test } from 'vitest'
import { freePort } from '#tests/support/ports.ts'

test('no two tests get the same port, even if neither listens yet', async () => {
  const ports: number[] = []
  for (let at = 0; at < 600; at += 1) ports.push(await freePort())

  expect(new Set(ports).size).toBe(ports.length)
})
