import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const CASES = rounds(50, 300)
const NAMES =
  'register login loginPerIp logins passwordChecks forgot forgotPerIp reset refresh placeOrder ordersPerDay confirm review chat chatBytes upload ai api'
const ENOUGH = NAMES.split(' ').map(name => `${name}=100000000/1m`)
const { db, request, customer, close } = await startProvider({ limits: ENOUGH.join() })
afterAll(close)

const seller = await addSeller(db, { hasAi: true })
const train = await addProduct(db, { sellerId: seller.id, slug: 'train', category: 'Trains' })
const toy = await addShippable(db, { sellerId: seller.id })
const ada = await customer()
const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [toy]))

/** Existing ids lead deeper into the code than unknown ones. */
const known = fc.constantFrom(ada.id, ada.email, ada.password, seller.id, train.id, 'train', toy.id, orderId)
const odd = fc.oneof(
  known,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom('', '0', '1', 'true', 'low-to-high', 'train', 'Trains', '%', '_', "'", '\0', '😀', '\u202E', '../..'),
  fc.constantFrom('newest', 'best-rated', 'biggest-discount', '25', 'Kenya', '43', 'Blue', 'false', 'trian'),
  fc.constantFrom('\uD800', 'x'.repeat(10_000), '${7*7}', '{"$ne":null}', "1' or '1'='1", '.*(a+)+$'),
)
/** The filters of lists by what products have, whose names no schema lists. */
const FILTERS = ['brand', 'shop', 'option.size', 'option.colour', `option.${'x'.repeat(200)}`, 'option.']
const oddValue = fc.oneof(
  odd,
  known,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, -1, 0, 1.5, 1, 2 ** 53, 1e308, [], {}, true),
)

/** All client errors are fine, server errors are not. */
const ANSWERS = [200, 201, 400, 404, 409, 413, 415, 422, 429]
const TELLING = /node_modules|\.ts:\d|\bat [/\w]+ \(|\bat \/|select |insert into|syntax error/i
const SECRET = /eyJ[\w-]{8}|sk_\w|AIza\w/

const LISTS = new Set<Endpoint>([endpoints.queryProducts, endpoints.countProducts, endpoints.getSellerProducts])

const times: number[] = []
afterAll(() => printFigure('answers to odd requests', spreadOf(times, 99), 'under 100 ms'))

/** Returns what is wrong with the response to a call. */
async function faultsOf(call: Endpoint, url: string, body?: string, type = ''): Promise<string[]> {
  const headers = new Headers(call.isForCustomers ? { authorization: `Bearer ${ada.token}` } : {})
  if (body !== undefined) headers.set('content-type', type)
  const init = { method: call.method, headers, ...(body !== undefined && { body }) }
  const answer = await addTime(times, () => request(`/api${url}`, init))
  const text = await answer.text()
  const isRefused = 'error' in (JSON.parse(text) as object)
  const faults = [
    !ANSWERS.includes(answer.status) && `status ${answer.status}`,
    isRefused === answer.status < 300 && 'an error without a refusal, or the other way round',
    TELLING.test(text) && 'tells how it is built',
    isRefused && SECRET.test(text) && 'tells a secret',
  ]
  return faults.filter(Boolean).map(fault => `${String(fault)}: ${text.slice(0, 300)}`)
}

const fill = (path: string, segment: string) => path.replace(/:\w+/, encodeURIComponent(segment.toWellFormed()))
// What ends the session comes last: without one, calls are rejected early.
const ENDING = ['deleteAccount', 'logout']
const calls = Object.entries(endpoints).toSorted(([a], [b]) => ENDING.indexOf(a) - ENDING.indexOf(b))
const withoutBody = calls.filter(([, { method }]) => method === 'GET' || method === 'DELETE')
const withBody = calls.filter(([, { method }]) => method === 'POST' || method === 'PUT')

describe('a call with random input never fails with a server error', () => {
  test.each(withBody)('%s', async (_, call) => {
    const fields = namesOf(call.input)
    const entries = fc.array(fc.tuple(fc.constantFrom(...fields, '__proto__', 'constructor', 'other'), oddValue), {
      maxLength: fields.length + 3,
    })
    const body = fc.oneof(
      { weight: 8, arbitrary: entries.map(pairs => jsonOf(pairs)) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }).map(text => text.toWellFormed()) },
      { weight: 1, arbitrary: fc.constantFrom('', '[]', 'null', '{', '['.repeat(5000), `{"a":${'['.repeat(5000)}`) },
    )
    const type = fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data; boundary=x') },
    )
    await fc.assert(
      fc.asyncProperty(odd, body, type, async (segment, text, contentType) => {
        expect(await faultsOf(call, fill(call.path, segment), text, contentType)).toEqual([])
      }),
      { numRuns: CASES },
    )
  })

  test.each(withoutBody)('%s', async (_, call) => {
    const names = [...namesOf(call.input), ...(LISTS.has(call) ? FILTERS : []), 'other', '__proto__']
    const parameters = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(odd, parameters, async (segment, pairs) => {
        const query = new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))
        expect(await faultsOf(call, `${fill(call.path, segment)}?${query}`)).toEqual([])
      }),
      { numRuns: CASES },
    )
  })
})

/** Unlike an object, JSON text can hold `__proto__` and the same name twice. */
function jsonOf(pairs: [string, unknown][]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
}

/** Returns the wire names of a call’s input, from its schema. */
function namesOf(input: object): string[] {
  const { _zod } = input as { _zod: { def: { in?: object; shape?: object } } }
  return _zod.def.in ? namesOf(_zod.def.in) : Object.keys(_zod.def.shape ?? {})
}
