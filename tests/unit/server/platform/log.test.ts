import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'

function record() {
  const lines: string[] = []
  const to = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) })
  return { lines, to }
}

test('the log contains a failed statement, but not its values', () => {
  const { lines, to } = record()
  const cause = Object.assign(new Error('timeout'), { code: '57014' })
  const failed = new Error('Failed query: update "users" set "password_hash" = $1\nparams: $argon2id$v=19$secret', {
    cause,
  })
  Object.assign(failed, { query: 'update "users"', params: ['$argon2id$v=19$secret'] })

  openLog({ level: 'error' }, to).error(
    { err: new AggregateError([failed], 'some failed'), path: '/x' },
    'request failed',
  )
  openLog({ level: 'error' }, to).error({ err: failed }, 'request failed')

  const written = lines.join('')
  expect(written).not.toContain('argon2id')
  expect(written).toContain('update \\"users\\"')
  expect(written).toContain('57014')
  expect(written).toContain('request failed')
})

test.each([
  ['/resetpassword?token=hidden', '/resetpassword'],
  ['/order/confirm?payment_intent_client_secret=hidden', '/order/confirm'],
  ['/media/files/1/note.txt?expires=1&signature=hidden', '/media/files/1/note.txt'],
  ['/api/payment/attempts/hidden', '/api/payment/attempts/…'],
  ['/api/payment/attempts/hidden/more', '/api/payment/attempts/…'],
])('no secret of the path %s is logged', (url, path) => {
  const { lines, to } = record()
  openLog({ level: 'warn' }, to).warn({ path: url }, 'the provider did not respond')

  expect(JSON.parse(lines.join(''))).toMatchObject({ path })
  expect(lines.join('')).not.toContain('hidden')
})
