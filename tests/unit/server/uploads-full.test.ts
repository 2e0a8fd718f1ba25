import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { secretsOf } from '#server/secrets.ts'
import { openUploads } from '#server/uploads/open.ts'
import { filesIn } from '#tests/support/uploading.ts'

const disk = vi.hoisted(() => ({ isFull: false }))
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

function open(folder: string) {
  const uploads = openUploads({ folder, secrets: secretsOf(randomBytes(32)), log: pino({ level: 'silent' }) })
  return async (...files: File[]) => {
    const form = new FormData()
    for (const file of files) form.append('files', file)
    const upload = await uploads.receive(
      new Request('http://shop.test', { method: 'POST', body: form }),
      async () => {},
    )
    return upload.keep().finally(upload.discard)
  }
}

test('files have another chance where there is no folder for them now', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
  const blocked = join(folder, 'uploads')
  await writeFile(blocked, '')
  const send = open(blocked)

  await expect(send(text(10))).rejects.toMatchObject({ status: 503, message: 'Files cannot be kept right now' })
  await rm(blocked)
  expect(await send(text(10))).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test('a full disk is said to be full, keeps no half of a file, and takes the next when there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
  const send = open(folder)
  const [first] = await send(text(10))
  disk.isFull = true

  await expect(send(text(10), text(10))).rejects.toMatchObject({
    status: 503,
    message: 'There is no room for files right now',
  })
  expect(await filesIn(folder)).toEqual([join(folder, first!.key)])

  disk.isFull = false
  expect(await send(text(10))).toHaveLength(1)
  await rm(folder, { recursive: true })
})
