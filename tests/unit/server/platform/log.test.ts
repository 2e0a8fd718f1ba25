import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'

test('the log contains a failed statement, but not its values', () => {
  const lines: string[] = []
  const to = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) })
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
