import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSame, readJson, sign, verify } from '#server/payments/providers/signature.ts'

const BODY = new TextEncoder().encode('{"id":"evt_1"}')
const SECRET = 'whsec_1'
const now = () => Math.floor(Date.now() / 1000)
const hmac = (seconds: number, secret = SECRET) =>
  createHmac('sha256', secret).update(`${seconds}.{"id":"evt_1"}`).digest('hex')
const check = (header: string | null, secrets: string[] = [SECRET]) => verify(header, BODY, secrets)

const FORGED = expect.objectContaining({
  code: 'INVALID_SIGNATURE',
  message: 'This message is not from the payment provider',
}) as Error

describe('a signature', () => {
  test('is the time and a hash of both', () => {
    expect(sign(BODY, SECRET, 1_800_000_000_999)).toBe(`t=1800000000,v1=${hmac(1_800_000_000)}`)
  })

  test('by any of the secrets is valid, also among others and with blanks', () => {
    const own = `v1=${hmac(now())}`

    for (const header of [
      sign(BODY, SECRET),
      `t=${now()},v1=${'0'.repeat(64)},${own}`,
      `t=${now()},v0=${'0'.repeat(64)},${own}`,
      `t=${now()}, ${own}`,
    ])
      expect(() => check(header, ['whsec_0', SECRET])).not.toThrow()
  })

  test('is valid for five minutes, with clocks ahead or behind', () => {
    const at = (seconds: number) => () => check(`t=${now() + seconds},v1=${hmac(now() + seconds)}`)

    for (const seconds of [-290, 0, 290]) expect(at(seconds)).not.toThrow()
    for (const seconds of [-302, 302, -100_000, 100_000]) expect(at(seconds)).toThrow(FORGED)
  })

  test.each<[string, () => string | null]>([
    ['missing', () => null],
    ['empty', () => ''],
    ['without a time', () => `v1=${hmac(0)}`],
    ['with a time that is no number', () => `t=now,v1=${hmac(now())}`],
    ['with something before it', () => `x${sign(BODY, SECRET)}`],
    ['with something after it', () => `${sign(BODY, SECRET)};`],
    ['of another version', () => sign(BODY, SECRET).replace('v1=', 'v0=')],
    ['by another secret', () => sign(BODY, 'whsec_2')],
    ['of another body', () => sign(new TextEncoder().encode('{}'), SECRET)],
    ['with more than ten hashes', () => `t=${now()}${`,v1=${hmac(now())}`.repeat(11)}`],
  ])('that is %s is not accepted', (_, header) => {
    expect(() => check(header())).toThrow(FORGED)
  })

  test('by an empty secret is never accepted', () => {
    expect(() => check(`t=${now()},v1=${hmac(now(), '')}`, [''])).toThrow(FORGED)
    expect(() => check(sign(BODY, SECRET), [])).toThrow(FORGED)
  })
})

test('texts are the same if each letter is; nothing is the same as an empty text', () => {
  expect([isSame('hash', 'hash'), isSame('hash', 'hash2'), isSame('', 'hash'), isSame('', '')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a body that is no JSON has no content', () => {
  expect(readJson(BODY)).toEqual({ id: 'evt_1' })
  expect(readJson(new TextEncoder().encode('{"id'))).toBeUndefined()
})
