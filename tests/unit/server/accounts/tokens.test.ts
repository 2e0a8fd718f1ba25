import { decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { secretsOf } from '#server/platform/secrets.ts'
import { openTokens } from '#server/accounts/tokens.ts'

const [master, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const secrets = secretsOf(master)
const NOW = Date.UTC(2025, 0, 1, 12)
const ada = { id: 'ada', name: 'Ada Lovelace', email: 'ada@x.test', sessionId: 'session' }
const tokens = openTokens(secrets, () => NOW)

/** A token like ours with the given changes. */
function like({ claims = {}, header = {}, key = secrets.keysFor('access-token')[0] } = {}) {
  const usual = {
    id: 'ada',
    name: 'Ada',
    email: 'a@x.test',
    sid: 's',
    sub: 'ada',
    jti: 'j',
    iss: 'piazza',
    aud: 'customer',
  }
  return new SignJWT({ ...usual, iat: NOW / 1000, exp: NOW / 1000 + 600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(key)
}

describe('a token', () => {
  test('contains the customer and the session', async () => {
    const token = await tokens.sign(ada, 'token')

    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.any(String) as string })
    expect(await tokens.read(token)).toEqual({ ...ada, tokenId: 'token', issuedAt: NOW, isExpired: false })
  })

  test('expires after the configured number of minutes', async () => {
    const short = openTokens(secrets, () => NOW, 5)
    const token = await short.sign(ada, 'token')

    expect(await openTokens(secrets, () => NOW + 299_000).read(token)).toMatchObject({ isExpired: false })
    expect(await openTokens(secrets, () => NOW + 300_000).read(token)).toMatchObject({ isExpired: true })
  })

  test('expires after ten minutes and can still be read', async () => {
    const token = await tokens.sign(ada, 'token')

    expect(await openTokens(secrets, () => NOW + 599_000).read(token)).toMatchObject({ isExpired: false })
    expect(await openTokens(secrets, () => NOW + 600_000).read(token)).toMatchObject({ id: 'ada', isExpired: true })
  })

  test('that was valid before is checked against the clock each time', async () => {
    let late = 0
    const reader = openTokens(secrets, () => NOW + late)
    const token = await tokens.sign(ada, 'token')
    const isExpired = async () => (await reader.read(token))?.isExpired

    expect(await isExpired()).toBe(false)
    late = 599_000
    expect(await isExpired()).toBe(false)
    late = 600_000
    expect(await isExpired()).toBe(true)
    late = -61_000
    expect(await isExpired()).toBe(true)
    expect(await reader.read(`${token.slice(0, -2)}AA`)).toBeNull()
  })

  test('signed with the previous key is accepted, with an older one rejected', async () => {
    const token = await tokens.sign(ada, 'token')

    expect(await openTokens(secretsOf(other, master), () => NOW).read(token)).toMatchObject({ id: 'ada' })
    expect(await openTokens(secretsOf(other), () => NOW).read(token)).toBeNull()
  })

  test('is accepted when it is well-formed', async () => {
    expect(await tokens.read(await like())).toMatchObject({ id: 'ada', sessionId: 's' })
  })

  test.each([
    ['another type', { header: { typ: 'JWT' } }],
    ['another algorithm', { header: { alg: 'HS384' } }],
    ['another shop', { claims: { iss: 'agora' } }],
    ['another audience', { claims: { aud: 'seller' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['no end', { claims: { exp: undefined } }],
    ['no session', { claims: { sid: undefined } }],
    ['no customer', { claims: { sub: undefined } }],
    ['the key of another purpose', { key: secrets.keysFor('refresh-token')[0] }],
    ['a later start', { claims: { nbf: NOW / 1000 + 60 } }],
  ])('with %s is rejected', async (_, changed) => {
    expect(await tokens.read(await like(changed))).toBeNull()
  })

  test.each([
    ['another type', { header: { typ: 'JWT' } }],
    ['another audience', { claims: { aud: 'seller' } }],
    ['another key', { key: new Uint8Array(32) }],
  ] satisfies [string, Parameters<typeof like>[0]][])(
    'that has expired and has %s is rejected, too',
    async (_, changed: NonNullable<Parameters<typeof like>[0]>) => {
      const claims = { ...changed.claims, exp: NOW / 1000 - 60 }
      expect(await tokens.read(await like({ ...changed, claims }))).toBeNull()
    },
  )

  test.each(['', 'x', 'a.b', 'a.b.c', '.'.repeat(1000)])('%j is rejected', async text => {
    expect(await tokens.read(text)).toBeNull()
  })
})
