import { SignJWT } from 'jose'
import type { startProvider } from './provider.ts'

type Provider = Awaited<ReturnType<typeof startProvider>>

/**
 * Bearer tokens that this shop has not signed, or has not signed for a customer; `genuine` is a customer’s, `otherId`
 * is another one.
 */
export async function forgedTokens(
  provider: Pick<Provider, 'customer'>,
  genuine: string,
  otherId: string,
): Promise<[kind: string, authorization: string][]> {
  const [head = '', claims = '', signature = ''] = genuine.split('.')
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { sid, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const foreign = new SignJWT({ ...rest, sid }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
  const dead = await provider.customer('Dead')
  await dead.api.logout({})
  return [
    ['another scheme', `Basic ${genuine}`],
    ['no token', 'Bearer null'],
    ['two tokens', `Bearer ${genuine} ${genuine}`],
    ['half a token', `Bearer ${head}.${claims}`],
    ['other claims', `Bearer ${head}.${encoded({ ...rest, sid, sub: otherId })}.${signature}`],
    ['no signature', `Bearer ${encoded({ alg: 'none', typ: 'at+jwt' })}.${claims}.`],
    ['another algorithm', `Bearer ${encoded({ alg: 'HS512', typ: 'at+jwt' })}.${claims}.${signature}`],
    ['another key', `Bearer ${await foreign.sign(new Uint8Array(32))}`],
    ['an ended session', `Bearer ${dead.token}`],
  ]
}
