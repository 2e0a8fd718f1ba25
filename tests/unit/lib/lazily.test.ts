import { expect, test, vi } from 'vitest'
import { lazily } from '#lib/lazily.ts'

test('what is made lazily is made once, at its first use', () => {
  const make = vi.fn<() => object>(() => ({}))
  const made = lazily(make)
  expect(make).not.toHaveBeenCalled()

  made()
  made()

  expect(make).toHaveBeenCalledTimes(1)
})

test('a page makes no format of dates or numbers before it shows one', async () => {
  const kinds = [vi.spyOn(Intl, 'DateTimeFormat'), vi.spyOn(Intl, 'NumberFormat'), vi.spyOn(Intl, 'Segmenter')]
  const modules = Object.values(import.meta.glob('../../../src/lib/{accounts,cart,catalogue,chat,orders}/*.ts'))
  expect(modules.length).toBeGreaterThan(30)

  for (const load of modules) await load()

  for (const kind of kinds) expect(kind).not.toHaveBeenCalled()
})
