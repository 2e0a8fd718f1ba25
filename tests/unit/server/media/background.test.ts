import { afterEach, expect, test, vi } from 'vitest'
import { openBackground } from '#server/media/background.ts'
import { PATIENCE } from '#tests/support/patience.ts'

afterEach(() => vi.useRealTimers())

test('pictures are made in the background although the clock was set back an hour', async () => {
  const made: string[] = []
  const make = (hash: string) => Promise.resolve(void made.push(hash))
  const background = openBackground({ make, quietMs: 1, log: undefined })
  background.holdBack()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3600_000 })

  background.add('vase', [320], ['webp'])

  await vi.waitFor(() => expect(made).toEqual(['vase']), PATIENCE)
  background.close()
})
