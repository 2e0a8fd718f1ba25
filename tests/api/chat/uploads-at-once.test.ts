import { afterAll, expect, test } from 'vitest'
import type { Customer } from '#tests/support/provider/provider.ts'
import type { ChatFile } from '#tests/support/uploads/chat-files.ts'
import { formStart, sendPieces } from '#tests/support/uploads/uploading.ts'
import { startUploading } from '#tests/support/provider/uploading-shop.ts'

const NOTE: ChatFile = { name: 'note.txt', content: Buffer.from('Hello') }
const REFUSED = { status: 429, error: 'Please wait until your other files are sent' }

const { bearer, between, close, customer, onDisk, send, url } = await startUploading()
afterAll(close)

/** Begins to send files. Returns a function that breaks all of them off. */
async function beginUploads(senders: Customer[]): Promise<() => Promise<void>> {
  const drafts = async () => (await onDisk()).filter(path => path.includes('/drafts/'))
  const { promise: brokenOff, resolve: breakOff } = Promise.withResolvers<void>()
  const sent = senders.map(sender => {
    const pieces = [formStart(between(sender), 'filename="a.txt"'), Buffer.from('text')]
    const answer = sendPieces(url, { ...bearer(sender), 'content-length': 10_000_000 }, pieces, { brokenOff })
    return answer.catch(() => undefined)
  })
  await expect.poll(drafts).toHaveLength(senders.length)
  return async () => {
    breakOff()
    await Promise.all(sent)
    await expect.poll(drafts).toEqual([])
  }
}

test('a customer has at most three unfinished uploads', async () => {
  const [mallory, ada] = [await customer('Mallory'), await customer('Ada')]
  const breakOff = await beginUploads([mallory, mallory, mallory])

  expect(await send(mallory, [NOTE])).toMatchObject(REFUSED)
  expect(await send(ada, [NOTE])).toMatchObject({ status: 201 })
  await breakOff()
  for (let count = 0; count < 4; count += 1) expect(await send(mallory, [NOTE])).toMatchObject({ status: 201 })
})

test('the customers behind one address have at most twenty', async () => {
  const office = await Promise.all(Array.from({ length: 7 }, () => customer()))
  const newest = await customer()
  const breakOff = await beginUploads(office.flatMap(each => [each, each, each]).slice(0, 20))

  expect(await send(newest, [NOTE])).toMatchObject(REFUSED)
  await breakOff()
  expect(await send(newest, [NOTE])).toMatchObject({ status: 201 })
})
