import { stat } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { sendFiles } from '#contract/chat.ts'
import { auditEvents, users } from '#server/db/schema.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { type ChatFile, hostileFiles, polyglots } from '#tests/support/uploads/chat-files.ts'
import { type Customer, type Provider, startProvider } from '#tests/support/provider/provider.ts'
import { filesIn, formStart, rawForm, sendPieces } from '#tests/support/uploads/uploading.ts'
import { messageOf, startUploading } from '#tests/support/provider/uploading-shop.ts'

const NOTE: ChatFile = { name: 'note.txt', content: Buffer.from('Hello') }

const shopping = await startUploading({ limits: 'upload=1000/10m' })
const { ada, attach, bearer, between, bytesOf, customer, db, get, newcomer, onDisk, send, url } = shopping
afterAll(shopping.close)

describe('a hostile file', () => {
  test('is rejected with the reason and leaves nothing on the disk', async () => {
    const mallory = await customer('Mallory')
    const before = await onDisk()
    const files = await hostileFiles()
    expect(files.length).toBeGreaterThanOrEqual(40)

    for (const [reason, file] of files) {
      const { status, error } = await send(mallory, [file])
      expect([file.name, status, error]).toEqual([
        file.name,
        reason.source === 'malformed' ? 400 : 422,
        expect.stringMatching(reason) as string,
      ])
      expect(await onDisk()).toEqual(before)
    }
    await expect(stat('/tmp/piazza-slip')).rejects.toMatchObject({ code: 'ENOENT' })
    const audited = await db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.event, 'upload'), eq(auditEvents.actorId, mallory.id)))
    expect(audited).toHaveLength(files.filter(([reason]) => reason.source !== 'malformed').length)
    expect(audited[0]).toMatchObject({ outcome: 'refused', ip: '127.0.0.1', details: { reason: /./ } })
  })

  test('also blocks the harmless files sent with it', async () => {
    const before = await onDisk()
    const { status } = await send(ada, [NOTE, { name: 'photo.png', content: Buffer.from('<script>') }])

    expect(status).toBe(422)
    expect(await onDisk()).toEqual(before)
  })

  test('that is valid as two types is never served as HTML, XML or script', async () => {
    const mallory = await customer('Mallory')
    for (const file of await polyglots()) {
      const attached = await attach(mallory, file)
      const { headers } = await get(attached.url)
      const isAlive = (await bytesOf(attached.url)).includes('<script>')

      expect(headers.get('content-type')).not.toMatch(/html|xml|script/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect({ isAlive, disposition: headers.get('content-disposition') }).toEqual({
        isAlive: attached.type === 'other',
        disposition: expect.stringMatching(attached.type === 'other' ? /^attachment; filename/ : /^inline; /) as string,
      })
    }
  })
})

test('a customer with an unconfirmed email can store only 10 MB of files, even when sending several at once', async () => {
  const eve = await newcomer('Eve')
  const before = await onDisk()
  const sendFour = () => send(eve, [{ name: 'long.txt', content: Buffer.alloc(4 * 2 ** 20, 'x') }])
  const reason = 'Please confirm your email address to send more files'
  expect(await sendFour()).toMatchObject({ status: 201 })

  const answers = await Promise.all([sendFour(), sendFour(), sendFour()])

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ status, error }) => [status, error])).toEqual([
    [422, reason],
    [422, reason],
  ])
  expect(await onDisk()).toHaveLength(before.length + 2)
  await db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, eve.id))
  expect(await sendFour()).toMatchObject({ status: 201 })
})

test('a customer with an unconfirmed email whose app repeats a message of 6 MB gets the stored one', async () => {
  const eve = await newcomer('Eve')
  const sendSix = () =>
    send(eve, [{ name: 'long.txt', content: Buffer.alloc(6 * 2 ** 20, 'x') }], { clientId: 'the same' })
  const first = await sendSix()

  const again = await sendSix()

  expect(again.status).toBe(201)
  expect(messageOf(again.body).id).toBe(messageOf(first.body).id)
})

describe('uploads from one IP address', () => {
  const upload = (provider: Provider, { token }: Customer, ip: string, fields: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('files', new File(['x'.repeat(60)], 'note.txt'))
    const headers = { authorization: `Bearer ${token}` }
    return provider.requestFrom(ip, `/api${sendFiles.path}`, { method: 'POST', headers, body })
  }

  test('are limited in bytes over all accounts', async () => {
    const limited = await startProvider({ limits: 'uploadBytesPerIp=150/1d,uploadBytes=100/1d' })
    const { id: sellerId } = await addSeller(limited.db)
    const people = [await limited.customer(), await limited.customer(), await limited.customer()]
    const send = async (at: number, ip: string) => {
      const fields = { userId: people[at]!.id, sellerId, text: '' }
      return (await upload(limited, people[at]!, ip, fields)).status
    }

    expect(await send(0, '5.5.5.5')).toBe(201)
    expect(await send(1, '5.5.5.5')).toBe(201)
    // The account has used up its own limit, so this does not count for the address.
    expect(await send(1, '5.5.5.5')).toBe(429)
    expect(await send(2, '5.5.5.5')).toBe(429)
    // What the address limit rejected does not count for the account.
    expect(await send(2, '6.6.6.6')).toBe(201)
    await limited.close()
  })

  test('return 503 while the disk has less free space than its reserve', async () => {
    const full = await startProvider({ diskReserve: 2 ** 60 })
    const { id: sellerId } = await addSeller(full.db)
    const joan = await full.customer()

    const answer = await upload(full, joan, '5.5.5.5', { userId: joan.id, sellerId, text: '' })

    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await answer.json()).toMatchObject({ error: 'There is no room for files right now' })
    expect(await filesIn(full.uploadsDir)).toEqual([])
    await full.close()
  })
})

test('rejected forms are audited only up to the limit of uploads', async () => {
  const limited = await startProvider({ limits: 'upload=3/10m' })
  const { id: actorId, token } = await limited.customer()
  const isRefusal = and(eq(auditEvents.event, 'upload'), eq(auditEvents.actorId, actorId))

  for (let count = 0; count < 5; count += 1) {
    const body = new FormData()
    body.set('text', 'x'.repeat(30_000))
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await limited.request(`/api${sendFiles.path}`, { method: 'POST', headers, body })
    expect(status).toBe(413)
  }

  expect(await limited.db.$count(auditEvents, isRefusal)).toBe(3)
  await limited.close()
})

describe('an upload form', () => {
  const chunks = (bytes: Buffer) => Array.from(bytes, byte => Buffer.of(byte))
  const start = () => formStart(between(ada), 'filename="a.txt"')
  const megabytes = (count: number) => Array.from({ length: count }, () => Buffer.alloc(1024 * 1024, 'x'))

  test.each([
    ['filename="../../../../tmp/piazza-slip.txt"', 'piazza-slip.txt'],
    ['filename="C:\\\\temp\\\\slip.txt"', 'slip.txt'],
    [`filename*=UTF-8''a%0d%0aSet-Cookie%3a%20x%00.txt`, 'aSet-Cookie_ x.txt'],
    [`filename*=UTF-8''invoice%E2%80%AEtxt.pdf.txt`, 'invoicetxt.pdf.txt'],
  ])('with a file named %s stores it under a safe name in the uploads folder', async (name, kept) => {
    const before = await onDisk()
    const { status, body } = await sendPieces(url, bearer(ada), [rawForm(between(ada), name, 'text')])
    const after = await onDisk()

    expect(status).toBe(201)
    const [file] = messageOf(body).attachments
    expect(file?.originalName).toBe(kept)
    const { headers } = await get(file?.url ?? '')
    expect(headers.get('set-cookie')).toBeNull()
    expect(after.filter(path => !before.includes(path))).toEqual([
      expect.stringMatching(/piazza-[\w-]+\/uploads\/([0-9a-f]{2})\/\1[0-9a-f-]{34}$/),
    ])
  })

  test('may arrive byte by byte, without a content length', async () => {
    const { status } = await sendPieces(url, bearer(ada), chunks(rawForm(between(ada), 'filename="a.txt"', 'a')))

    expect(status).toBe(201)
  })

  test.each<[string, string, Record<string, string | number>, () => Buffer[]]>([
    ['413 a.txt: the file is larger than 25 MB', 'a file that is too large', {}, () => [start(), ...megabytes(100)]],
    ['413 All files together', 'a length that is too large', { 'content-length': 100 * 2 ** 20 }, () => megabytes(100)],
    [
      '413 userId is too long',
      'a field that is too long',
      {},
      () => [rawForm({ userId: 'x'.repeat(30_000) }, 'filename="a.txt"', 'a')],
    ],
    [
      '413 Too many fields',
      'too many fields',
      {},
      () => [
        rawForm(
          Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, 'x'])),
          'filename="a.txt"',
          'a',
        ),
      ],
    ],
    ['400 userId must be a single text', 'no fields', {}, () => [rawForm({}, 'filename="a.txt"', 'a')]],
    ['400 The form is malformed', 'no end', {}, () => [start(), Buffer.from('text')]],
    ['400 The form is malformed', 'no beginning', {}, () => [Buffer.from('no form at all')]],
    [
      '415 The files must be sent as multipart/form-data',
      'a JSON body',
      { 'content-type': 'application/json' },
      () => [Buffer.from('{}')],
    ],
    [
      '415 The files must be sent as multipart/form-data',
      'no boundary',
      { 'content-type': 'multipart/form-data; x=y' },
      () => [Buffer.from('x')],
    ],
    [
      '409 Please login first',
      'nobody who is signed in',
      { authorization: 'Bearer x' },
      () => [start(), ...megabytes(20)],
    ],
    [
      '403 This request came from a page of another site',
      'the page of another site',
      { 'sec-fetch-site': 'cross-site' },
      () => [start(), ...megabytes(20)],
    ],
  ])('is rejected with %s for %s, and leaves nothing on the disk', async (answer, _, headers, pieces) => {
    const before = await onDisk()

    const { status, error } = await sendPieces(url, { ...bearer(ada), ...headers }, pieces())

    expect(`${status} ${error}`).toContain(answer)
    expect(await onDisk()).toEqual(before)
  })

  test('that is longer than its content length is rejected and leaves nothing on the disk', async () => {
    const before = await onDisk()
    const form = rawForm(between(ada), 'filename="a.txt"', 'x'.repeat(1000))

    expect(await sendPieces(url, { ...bearer(ada), 'content-length': 400 }, [form])).toMatchObject({ status: 400 })

    await expect.poll(onDisk).toEqual(before)
  })

  test('without a file is rejected', async () => {
    expect(await send(ada, [], { message: 'Hello' })).toMatchObject({ status: 400, error: 'There is no file to send' })
  })

  test('with more than five files is rejected', async () => {
    const before = await onDisk()

    expect(
      await send(
        ada,
        Array.from({ length: 6 }, () => NOTE),
      ),
    ).toMatchObject({
      status: 413,
      error: 'At most 5 files can be sent at once',
    })
    expect(await onDisk()).toEqual(before)
  })

  test('that is interrupted leaves nothing on the disk', async () => {
    const before = await onDisk()
    const headers = { ...bearer(ada), 'content-length': 10_000_000 }
    const pieces = [start(), ...megabytes(2)]

    const { promise: brokenOff, resolve: breakOff } = Promise.withResolvers<void>()
    const answer = sendPieces(url, headers, pieces, { brokenOff })
    await expect.poll(onDisk).toHaveLength(before.length + 1)
    breakOff()

    await expect(answer).rejects.toThrow('socket hang up')
    await expect.poll(onDisk).toEqual(before)
  })
})
