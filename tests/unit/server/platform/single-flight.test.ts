import { expect, test } from 'vitest'
import { singleFlight } from '#server/platform/single-flight.ts'

test('simultaneous callers with the same key share one run; the next caller starts a new one', async () => {
  const { share, isRunning } = singleFlight<number>()
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const work = async () => {
    runs += 1
    await gate.promise
    return runs
  }
  const both = [share('a', work), share('a', work)]
  expect(isRunning('a')).toBe(true)
  gate.resolve()
  expect(await Promise.all(both)).toEqual([1, 1])
  expect(isRunning('a')).toBe(false)
  expect(await share('a', work)).toBe(2)
})

test('other keys do not share, failures are shared, and a failed run is not kept', async () => {
  const { share, settled } = singleFlight<string>()
  const fails = () => Promise.reject(new Error('no room'))
  const [first, second] = [share('a', fails), share('a', () => Promise.resolve('never called'))]
  const other = share('b', () => Promise.resolve('b'))
  await settled()
  await expect(first).rejects.toThrow('no room')
  await expect(second).rejects.toThrow('no room')
  expect(await other).toBe('b')
  expect(await share('a', () => Promise.resolve('again'))).toBe('again')
})
