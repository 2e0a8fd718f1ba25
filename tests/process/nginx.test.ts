import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#contract/auth.ts'
import { FILE_PATHS } from '#server/http/csrf.ts'
import { type Listening, listen } from '#tests/support/fakes/http.ts'
import { openConnection, requestText } from '#tests/support/faults/raw-connection.ts'
import { type Nginx, startNginx } from '#tests/support/processes/nginx.ts'
import { startUploading } from '#tests/support/provider/uploading-shop.ts'

let shop: Listening
let nginx: Nginx
const asked: string[] = []

beforeAll(async () => {
  shop = await listen((request, response) => {
    asked.push(request.url!)
    request.resume().once('end', () => response.end('done'))
  })
  nginx = await startNginx([Number(new URL(shop.url).port)])
  asked.length = 0
})

afterAll(async () => {
  await nginx?.close()
  await shop?.close()
})

test('only files reach the shop behind nginx before their body is complete', async () => {
  const begin = async (path: string, length: number) => {
    const client = await openConnection(nginx.url)
    client.socket.write(`${requestText(`/api${path}`, { 'content-length': String(length) }, 'POST')}x`)
    return client
  }

  const loggingIn = await begin(login.path, 2)
  // More than nginx lets other requests hold.
  const sending = await Promise.all(FILE_PATHS.map(path => begin(path, 60 * 2 ** 20)))

  await expect.poll(() => asked.toSorted()).toEqual(FILE_PATHS.map(path => `/api${path}`).toSorted())
  loggingIn.socket.write('x')
  await vi.waitFor(() => expect(loggingIn.statuses()).toEqual([200]))
  for (const { socket } of [loggingIn, ...sending]) socket.destroy()
})

test('browsers get a part of a file in the chat through nginx, as they ask for videos', async () => {
  const customers = await startUploading()
  onTestFinished(customers.close)
  const chat = await startNginx([Number(new URL(customers.url).port)])
  onTestFinished(chat.close)
  const file = await customers.attach(customers.ada, { name: 'notes.txt', content: Buffer.from('0123456789') })

  const answer = await fetch(chat.url + file.url, { headers: { range: 'bytes=0-1' } })

  expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([206, 'bytes 0-1/10', '01'])
  const etag = answer.headers.get('etag')!
  expect((await fetch(chat.url + file.url, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('a page whose files only one of two processes has, as during an update, gets them through nginx', async () => {
  const older = await listen((_, response) => response.writeHead(404).end('not found'))
  onTestFinished(older.close)
  const newer = await listen((request, response) => response.end(request.url))
  onTestFinished(newer.close)
  const both = await startNginx([older, newer].map(({ url }) => Number(new URL(url).port)))
  onTestFinished(both.close)

  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map(name => fetch(`${both.url}/_astro/${name}.js`).then(answer => answer.text())),
  )

  expect(answers).toEqual(['/_astro/a.js', '/_astro/b.js', '/_astro/c.js', '/_astro/d.js'])
})

test('nginx keeps one copy of a picture, whatever query follows its address', async () => {
  const requested: string[] = []
  const pictures = await listen((request, response) => {
    requested.push(request.url!)
    response.setHeader('cache-control', 'public, max-age=31536000, immutable').end('a picture')
  })
  onTestFinished(pictures.close)
  const front = await startNginx([Number(new URL(pictures.url).port)])
  onTestFinished(front.close)
  requested.length = 0

  for (const query of ['', '?1', '?2'])
    expect(await (await fetch(`${front.url}/media/picture.webp${query}`)).text()).toBe('a picture')

  expect(requested).toEqual(['/media/picture.webp'])
})
