import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSellers, getBanners } from '#contract/catalogue.ts'
import { getRates } from '#contract/currencies.ts'
import { logout } from '#contract/session.ts'
import { updateAccount, getAccount } from '#contract/account.ts'
import { addProduct, addSeller, picture } from '#tests/support/catalogue/catalogue.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const SHOP = 'https://shop.example'
const PARTNER = 'https://app.partner.example'
const EVIL = 'https://evil.example'
const JSON_TYPE = { 'content-type': 'application/json' }

const { db, request, customer, close } = await startProvider({ publicUrl: SHOP, corsOrigins: [PARTNER] })
afterAll(close)

let bearer: Record<string, string>
beforeAll(async () => {
  const { token } = await customer()
  bearer = { authorization: `Bearer ${token}` }
})

const FORM = {
  country: 'Kenya',
  currency: 'KES',
  shippingDetails: {
    name: 'Ada',
    address: 'Moi Avenue 1',
    phone: '1',
    postal: '00100',
    province: 'Nairobi',
    city: 'Nairobi',
    area: 'CBD',
    country: 'Kenya',
  },
}

async function update(headers: Record<string, string>, body: string | FormData = JSON.stringify(FORM)) {
  const answer = await request(`/api${updateAccount.path}`, { method: 'PUT', headers: { ...bearer, ...headers }, body })
  return { status: answer.status, ...((await answer.json()) as { error?: string }), headers: answer.headers }
}

async function country(): Promise<string> {
  const answer = await request(`/api${getAccount.path}`, { headers: bearer })
  return ((await answer.json()) as { country: string }).country
}

describe('a request from a page of another site', () => {
  test.each([
    ['a cross-site request', { 'sec-fetch-site': 'cross-site', origin: EVIL }],
    ['one of a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }],
    ['one of a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['one without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['one of an old browser', { origin: EVIL }],
    ['one of an old browser’s sandboxed frame', { origin: 'null' }],
    ['one with an origin that only begins like ours', { origin: `${SHOP}.evil.example` }],
    ['one over plain http', { origin: 'http://shop.example' }],
  ])('%s is rejected with 403 and changes nothing', async (_, headers) => {
    const { status, error } = await update({ ...JSON_TYPE, ...headers })

    expect({ status, error }).toEqual({ status: 403, error: 'This request came from a page of another site' })
    expect(await country()).toBe('')
  })

  test.each([
    ['text', { 'content-type': 'text/plain' }, JSON.stringify(FORM)],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'country=Kenya'],
    ['text that speaks of JSON', { 'content-type': 'text/plain; application/json' }, JSON.stringify(FORM)],
    ['JSON of another kind', { 'content-type': 'application/jsonx' }, JSON.stringify(FORM)],
    ['a form with files', {}, new FormData()],
  ])('with %s as its body is rejected with 415, wherever it comes from', async (_, headers, body) => {
    const { status, error } = await update(headers, body)

    expect({ status, error }).toEqual({
      status: 415,
      error: 'The body must be JSON, with Content-Type: application/json',
    })
    expect(await country()).toBe('')
  })

  test('cannot sign a customer out, because it has no token', async () => {
    const picture = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }

    expect((await request(`/api${logout.path}`, { headers: picture })).status).toBe(409)
    expect(await country()).toBe('')
  })
})

describe('a request from the shop’s own pages or a listed site', () => {
  test.each([
    ['the shop', { 'sec-fetch-site': 'same-origin', origin: SHOP }],
    ['the shop in an old browser', { origin: SHOP }],
    ['the shop at its address in a home network', { origin: 'http://192.168.1.5:4321', host: '192.168.1.5:4321' }],
    ['no browser at all', {}],
    ['a listed site', { 'sec-fetch-site': 'cross-site', origin: PARTNER }],
  ])('from %s is accepted', async (_, headers) => {
    const { status } = await update({ 'content-type': 'application/json; charset=utf-8', ...headers })

    expect(status).toBe(200)
  })
})

describe('other sites', () => {
  const ask = (origin: string, path = `/api${getRates.path}`) => request(path, { headers: { origin } })
  const preflight = (origin: string) =>
    request(`/api${updateAccount.path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    })

  test('may call with a token and read error responses if they are listed', async () => {
    const [allowed, refused, asked] = [await ask(PARTNER), await ask(PARTNER, '/api/nothing'), await preflight(PARTNER)]

    for (const { headers } of [allowed, refused, asked]) {
      expect(headers.get('access-control-allow-origin')).toBe(PARTNER)
      expect(headers.get('access-control-allow-credentials')).toBe('true')
      expect(headers.get('vary')).toContain('Origin')
    }
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(allowed.headers.get('cache-control')).toBe('no-store')
  })

  test('get full picture URLs if they are listed; the shop’s own pages get paths', async () => {
    const { hash } = picture('elsewhere')
    const banner = { title: '/media/is/a/word', description: '', link: '/products', picture: picture('elsewhere') }
    const { id: sellerId } = await addSeller(db, { picture: picture('elsewhere'), banner })
    const { slug } = await addProduct(db, { sellerId, pictures: [picture('elsewhere'), picture('elsewhere')] })
    const read = async (origin: string, path: string) => (await ask(origin, path)).json()
    const answersFor = async (origin: string) => [
      await read(origin, `/api/home/get-product/${slug}`),
      await read(origin, `/api${getSellers.path}`),
      await read(origin, `/api${getBanners.path}`),
    ]

    for (const [origin, before] of [
      [PARTNER, SHOP],
      [SHOP, ''],
      [EVIL, ''],
    ] as const) {
      const image = `${before}/media/${hash}/640.webp`
      expect(await answersFor(origin)).toMatchObject([
        { product: { images: [image, image] } },
        { sellers: [{ image }] },
        { banners: [{ image, title: '/media/is/a/word', link: '/products' }] },
      ])
    }
  })

  test('get full URLs of chat files if they are listed', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db)
    const sent = { userId: ada.id, sellerId, text: '' }
    await ada.api.sendFiles({ ...sent, files: [new File(['Hello'], 'note.txt')] })
    const asked = await request(`/api/chat/customer/messages/${sellerId}`, {
      headers: { origin: PARTNER, authorization: `Bearer ${ada.token}` },
    })
    const { messages } = (await asked.json()) as { messages: { attachments: { url: string }[] }[] }
    const address = messages[0]?.attachments[0]?.url ?? ''

    expect(address).toMatch(/^https:\/\/shop\.example\/media\/files\//)
    const file = await request(address.slice(SHOP.length))
    expect(file.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  test('get full URLs of reviews’ pictures and their thumbnails if they are listed', async () => {
    const ada = await customer()
    const { id: productId } = await addProduct(db)
    await ada.api.submitReview({ productId, review: 'It holds tea', rating: 5 })
    const files = [new File([new Uint8Array(await photograph())], 'mug.jpg')]
    await ada.api.addReviewPictures({ productId, files })
    const asked = await ask(PARTNER, `/api/home/customer/get-reviews/${productId}`)
    const { reviews } = (await asked.json()) as { reviews: { pictures: { url: string; thumbnail: string }[] }[] }
    const { url = '', thumbnail = '' } = reviews[0]?.pictures[0] ?? {}

    for (const address of [url, thumbnail]) {
      expect(address).toMatch(/^https:\/\/shop\.example\/media\/reviews\//)
      const picture = await request(address.slice(SHOP.length))
      expect(picture.status).toBe(200)
      expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
  })

  test('may read why a customer must sign in again if they are listed', async () => {
    const refusal = await ask(PARTNER, `/api${getAccount.path}`)

    expect(refusal.status).toBe(409)
    expect(refusal.headers.get('access-control-allow-origin')).toBe(PARTNER)
  })

  test.each([EVIL, 'null', `${PARTNER}.evil.example`, 'http://app.partner.example', '*'])(
    'get no CORS headers if they are not listed: %s',
    async origin => {
      for (const { headers } of [await ask(origin), await preflight(origin)]) {
        expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
      }
    },
  )
})

describe('a JSON body', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  test.each([21, 1000, 5000])('nested %d levels deep is rejected', async levels => {
    const { status, error } = await update(JSON_TYPE, nested(levels))

    expect({ status, error }).toEqual({ status: 400, error: 'The body is nested too deeply' })
  })

  test('nested 20 levels deep is accepted', async () => {
    expect((await update(JSON_TYPE, nested(20))).error).not.toContain('nested')
  })

  test('with a syntax error is rejected', async () => {
    expect(await update(JSON_TYPE, '{"a":')).toMatchObject({ status: 400, error: 'The body must be a JSON object' })
  })
})
