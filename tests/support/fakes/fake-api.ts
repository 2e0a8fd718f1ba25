import type { Api } from '#lib/api.ts'

/** A provider that answers the calls of one test; any other call fails by its name. */
export function fakeApi(calls: Partial<Api>): Api {
  return new Proxy(calls as Api, {
    get(target, name) {
      const call = target[name as keyof Api]
      if (call) return call
      return () => Promise.reject(new Error(`the test does not say what ${String(name)} answers`))
    },
  })
}
