import { atom } from 'nanostores'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#lib/api.ts'
import { clear, type Load, loadInto } from '#stores/load.ts'

const $number = atom<Load<number>>({ state: 'loading' })
const refusal = (status: number) => () => Promise.reject(new ApiError(status, `status ${status}`))

beforeEach(() => clear($number))

test.each([
  [404, { state: 'missing' }],
  [400, { state: 'missing' }],
  [503, { state: 'failed', message: 'status 503' }],
])('an error %i becomes %j', async (status, shown) => {
  await loadInto($number, refusal(status))

  expect($number.get()).toEqual(shown)
})

test('a shown value stays when a reload fails, and goes when it returns 404', async () => {
  await loadInto($number, () => Promise.resolve(1))
  await loadInto($number, refusal(503))
  expect($number.get()).toEqual({ state: 'ready', value: 1 })

  await loadInto($number, refusal(404))
  expect($number.get()).toEqual({ state: 'missing' })
})

test('the last request wins, even if the responses arrive in another order', async () => {
  const slow = Promise.withResolvers<number>()
  const first = loadInto($number, () => slow.promise)
  await loadInto($number, () => Promise.resolve(2))
  slow.resolve(1)
  await first
  expect($number.get()).toEqual({ state: 'ready', value: 2 })

  const late = Promise.withResolvers<number>()
  const forgotten = loadInto($number, () => late.promise)
  clear($number)
  late.resolve(3)
  await forgotten
  expect($number.get()).toEqual({ state: 'loading' })
})

test('a bug of our own rejects', async () => {
  await expect(loadInto($number, () => Promise.reject(new TypeError('oops')))).rejects.toThrow('oops')
})
