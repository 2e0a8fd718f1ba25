import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { secretsOf } from '#server/platform/secrets.ts'
import { openUploads } from '#server/uploads/uploads.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'

const MEGABYTE = 1024 * 1024
const disk = vi.hoisted(() => ({ isFull: false, freeMb: 1000 }))
vi.mock(import('node:fs/promises'), async original => {
  const fs = await original()
  const statfs = async () => ({ bavail: disk.freeMb, bsize: MEGABYTE })
  return { ...fs, statfs: statfs as unknown as typeof fs.statfs }
})
vi.mock(import('node:fs'), async original => {
  const fs = await original()
  const createWriteStream = (...opened: Parameters<typeof fs.createWriteStream>) => {
    const stream = fs.createWriteStream(...opened)
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    if (disk.isFull) stream._write = (_piece, _encoding, done) => done(noSpace)
    return stream
  }
  return { ...fs, createWriteStream }
})

const text = (bytes: number) => new File(['x'.repeat(bytes)], 'a.txt')

function openAt(folder: string, diskReserve = 0) {
  return openUploads({ folder, diskReserve, secrets: secretsOf(randomBytes(32)), log: pino({ level: 'silent' }) })
}

function open(folder: string) {
  const uploads = openAt(folder)
  return async (...files: File[]) => {
    const form = new FormData()
    for (const file of files) form.append('files', file)
    const upload = await uploads.receive(
      new Request('http://shop.test', { method: 'POST', body: form }),
      async () => {},
    )
    return upload.keep('203.0.113.1').finally(upload.discard)
  }
}

test('files are accepted again once their folder can be created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
  const blocked = join(folder, 'uploads')
  await writeFile(blocked, '')
  const send = open(blocked)

  await expect(send(text(10))).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'Files cannot be kept right now' })
  await rm(blocked)
  expect(await send(text(10))).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test('a full disk returns 503, keeps no partial file, and accepts files again when there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
  const send = open(folder)
  const [first] = await send(text(10))
  disk.isFull = true

  await expect(send(text(10), text(10))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'There is no room for files right now',
  })
  expect(await filesIn(folder)).toEqual([join(folder, first!.key)])

  disk.isFull = false
  expect(await send(text(10))).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test('concurrent uploads leave the disk reserve free, and release their reservations', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
  const uploads = openAt(folder, 20 * MEGABYTE)
  disk.freeMb = 150
  const receive = () => {
    const form = new FormData()
    form.append('files', text(10))
    const { headers, body } = new Request('http://shop.test', { method: 'POST', body: form })
    headers.set('content-length', String(30 * MEGABYTE))
    return uploads.receive({ headers, body }, async () => {})
  }

  const settled = await Promise.allSettled([receive(), receive(), receive()])

  const refused = settled.filter(each => each.status === 'rejected')
  expect(refused.map(({ reason }) => reason as object)).toMatchObject([
    { code: 'UNAVAILABLE', message: 'There is no room for files right now' },
  ])
  const [first, second] = settled.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  await first!.discard()
  await first!.discard()
  await (await receive()).discard()
  await second!.discard()
  disk.freeMb = 79
  await expect(receive()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await filesIn(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
