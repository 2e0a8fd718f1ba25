import { describe, expect, test } from 'vitest'
import { secretsOf } from '#server/platform/secrets.ts'
import { createAddresses } from '#server/uploads/addresses.ts'
import { readRange } from '#server/uploads/file-routes.ts'
import { cleanName } from '#server/uploads/names.ts'

describe('a file name', () => {
  test.each([
    ['photo.jpg', 'photo.jpg'],
    ['Rechnung für März.pdf', 'Rechnung für März.pdf'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie_ x=1.txt'],
    ['a\0.txt', 'a.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['5%22 disk.txt', '5_ disk.txt'],
    ['..hidden.txt', 'hidden.txt'],
    ['half \uD83D.txt', 'half .txt'],
    ['', ''],
  ])('%j is stored as %j', (given, kept) => {
    expect(cleanName(given)).toBe(kept)
  })

  test('that is too long keeps its extension', () => {
    const name = cleanName(`${'😀'.repeat(200)}.docx`)

    expect(name).toMatch(/^(😀)+\.docx$/u)
    expect(name.length).toBeLessThanOrEqual(120)
  })
})

describe('a range of 100 bytes', () => {
  test.each([
    [undefined, null],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['lines=0-1', null],
    ['bytes=-', null],
    ['bytes=0-99999999999999999999', null],
  ])('%s', (header, part) => {
    expect(readRange(header, 100)).toEqual(part)
  })
})

describe('the URL of a file', () => {
  const HOUR_MS = 3600_000
  const file = { id: 'file-1', originalName: 'März 1/2.pdf' }
  const key = new Uint8Array(32).fill(1)
  const read = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://shop.test')
    const given = { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
    return { id: pathname.split('/')[3] ?? '', ...given }
  }
  const open = (now: number, secrets = secretsOf(key)) => createAddresses({ secrets, now: () => now })

  test('is valid for one to two hours, and stable within each hour', () => {
    const [start, end] = [open(10 * HOUR_MS), open(11 * HOUR_MS - 1000)]
    const address = start.addressOf(file)

    expect(address).toMatch(/^\/media\/files\/file-1\/M%C3%A4rz%201%2F2\.pdf\?expires=43200&signature=[\w-]{43}$/)
    expect(end.addressOf(file)).toBe(address)
    expect(start.secondsLeft(read(address))).toBe(7200)
    expect(end.secondsLeft(read(address))).toBe(3601)
    expect(open(12 * HOUR_MS).secondsLeft(read(address))).toBe(0)
  })

  test('stays valid after a key rotation', () => {
    const address = open(0).addressOf(file)

    expect(open(0, secretsOf(new Uint8Array(32), key)).secondsLeft(read(address))).toBeGreaterThan(0)
    expect(open(0, secretsOf(new Uint8Array(32))).secondsLeft(read(address))).toBe(0)
  })

  test('cannot be forged', () => {
    const { secondsLeft, addressOf } = open(0)
    const genuine = read(addressOf(file))
    const other = genuine.signature.startsWith('A') ? 'B' : 'A'

    expect(secondsLeft(genuine)).toBeGreaterThan(0)
    for (const forged of [
      { id: 'file-2' },
      { expires: '9999999999' },
      { expires: '' },
      { expires: ' 7200' },
      { expires: '7200.0' },
      { signature: '' },
      { signature: genuine.signature.slice(1) },
      { signature: other + genuine.signature.slice(1) },
      { signature: `${genuine.signature}=` },
    ])
      expect([forged, secondsLeft({ ...genuine, ...forged })]).toEqual([forged, 0])
  })
})
