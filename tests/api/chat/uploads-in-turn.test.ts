import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { sendFiles } from '#contract/chat.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { listen } from '#tests/support/fakes/http.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const stored: string[] = []
const { promise: slowDone, resolve: endSlow } = Promise.withResolvers<void>()
/** A bucket that takes its time for the file with the content 'slow'. */
const bucket = await listen((request, response) => {
  void text(request).then(async body => {
    if (request.method === 'PUT') stored.push(body)
    if (body === 'slow') await slowDone
    response.end()
  })
})
const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
const { db, fetch, customer, close } = await startProvider({
  s3: { bucket: 'files', region: 'us-east-1', endpoint: bucket.url, ...credentials },
})
afterAll(async () => {
  endSlow()
  await close()
  await bucket.close()
})

const seller = await addSeller(db)

async function sendFrom(remoteAddress: string, { id, token }: Customer, content: string): Promise<number> {
  const form = new FormData()
  form.set('userId', id)
  form.set('sellerId', seller.id)
  form.set('files', new File([content], 'note.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${token}` }
  const request = new Request(`http://provider.test/api${sendFiles.path}`, { method: 'POST', headers, body: form })
  return (await fetch(request, { incoming: { socket: { remoteAddress } } })).status
}

test('files of all customers behind one address wait in turn, and those of other addresses do not wait for them', async () => {
  const [ada, grace, joan] = [await customer('Ada'), await customer('Grace'), await customer('Joan')]
  const adas = sendFrom('7.1.1.1', ada, 'slow')
  await expect.poll(() => stored).toEqual(['slow'])

  const graces = sendFrom('7.1.1.1', grace, 'next behind the same address')
  expect(await sendFrom('7.1.1.2', joan, 'from elsewhere')).toBe(201)

  expect(stored).toEqual(['slow', 'from elsewhere'])
  endSlow()
  expect([await adas, await graces]).toEqual([201, 201])
  expect(stored.at(-1)).toBe('next behind the same address')
})
