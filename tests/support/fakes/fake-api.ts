import type { Api } from '#lib/api.ts'

/** A provider that implements only the calls of one test. Any other call rejects with its name. */
export function fakeApi(calls: Partial<Api>): Api {
  return new Proxy(calls as Api, {
    get(target, name) {
      const call = target[name as keyof Api]
      if (call) return call
      return () => Promise.reject(new Error(`the test does not say what ${String(name)} answers`))
    },
  })
}
