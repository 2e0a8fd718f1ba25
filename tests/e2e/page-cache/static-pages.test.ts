import { request as ask } from 'node:http'
import type { APIRequestContext } from 'playwright/test'
import { getHealth } from '#contract/health.ts'
import { forgotPassword } from '#contract/auth.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { market } from '#tests/support/provider/market.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'

const KITE = '/product/details/red-kite'
const VASE = '/product/details/tall-vase'

const test = testWithShop(async db => {
  const toys = await addSeller(db, { shopName: 'Toy Shop', isVerified: true })
  const pots = await addSeller(db, { shopName: 'Pot Shop' })
  await addProduct(db, { slug: 'red-kite', name: 'Red kite', category: 'Toys', sellerId: toys.id, priceCents: 4000 })
  for (let count = 0; count < 9; count += 1) await addProduct(db, { category: 'Toys', sellerId: toys.id })
  await addProduct(db, { slug: 'tall-vase', name: 'Tall vase', category: 'Pots', sellerId: pots.id, priceCents: 3000 })
  for (let count = 0; count < 19; count += 1) await addProduct(db, { category: 'Pots', sellerId: pots.id })
})

test.describe.configure({ mode: 'default' })

test.describe('cached pages', { tag: '@desktop' }, () => {
  test('are rendered once, compressed, and return 304 when unchanged', async ({ request }) => {
    const first = await request.get('/about-us')
    const second = await request.get('/about-us', { headers: { 'accept-encoding': 'br' } })
    const gzipped = await request.get('/about-us', { headers: { 'accept-encoding': 'gzip' } })

    expect(first.headers()['x-cache']).toMatch(/MISS|HIT/)
    expect(second.headers()).toMatchObject({ 'x-cache': 'HIT', 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(gzipped.headers()['content-encoding']).toBe('gzip')
    expect(await second.text()).toBe(await gzipped.text())
    const again = await request.get('/about-us', {
      headers: { 'if-none-match': second.headers().etag ?? '' },
    })
    expect(again.status()).toBe(304)
  })

  test('come over a connection that outlasts the minute for which proxies keep an idle one', async ({ request }) => {
    expect((await request.get('/about-us')).headers()['keep-alive']).toBe('timeout=65')
  })

  test('are served to clients that offer HTTP/2 or send an absolute URL', async ({ shop }) => {
    const { hostname, port } = new URL(shop.url)
    const statusOf = (path: string, headers = {}, body = '') =>
      new Promise((resolve, reject) => {
        const options = { hostname, port, path, headers, method: body ? 'POST' : 'GET' }
        const asking = ask(options, answer => resolve(answer.resume().statusCode))
        asking.on('error', reject).end(body)
      })
    const offer = { connection: 'Upgrade', upgrade: 'h2c' }

    expect(await statusOf('/stores', offer)).toBe(200)
    const json = { 'content-type': 'application/json' }
    expect(
      await statusOf(`/api${forgotPassword.path}`, { ...offer, ...json }, '{"email":"nobody@piazza.example"}'),
    ).toBe(200)
    for (const path of ['', '/stores', `/api${getHealth.path}`])
      expect(await statusOf(`http://shop.example${path}`), path).toBe(200)
  })

  test('for addresses that visitors make up write nothing to the log', async ({ shop, request }) => {
    for (const path of ['/wp-login.php', '/a%0aThe shop is closed', '/product/details/a%0aclosed', '/stores/a/%1b[31m'])
      expect((await request.get(path)).status(), path).toBe(404)

    expect(shop.log()).not.toMatch(/wp-login|closed|\[31m/)
  })

  test('ignore unknown query parameters', async ({ request }) => {
    await request.get('/stores')
    for (let count = 0; count < 50; count += 1) {
      const answer = await request.get(`/stores?utm_${count}=${count}`)
      expect(answer.headers()['x-cache']).toBe('HIT')
    }
  })

  test('show a new price at once everywhere, and no other page is purged', async ({ shop, request, page }) => {
    const showing = [KITE, '/products?category=Toys', '/']
    for (const path of [...showing, VASE]) await storedPage(request, path)
    expect(await storedPage(request, KITE)).toContain('$40')

    await market(shop, 'product', 'set', 'red-kite', 'price=57')

    expect((await request.get(VASE)).headers()['x-cache']).toBe('HIT')
    for (const path of showing) {
      const answer = await request.get(path)
      expect(answer.headers()['x-cache'], path).toBe('MISS')
      expect(await answer.text(), path).toContain('$57')
    }
    await page.goto(KITE)
    await expect(page.getByRole('main').locator('[data-usd]').first()).toHaveText('$57')
  })

  test('stay cached when the stock changes, and show the current stock', async ({ shop, request, page }) => {
    await storedPage(request, VASE)

    await market(shop, 'product', 'set', 'tall-vase', 'stock=3')

    expect((await request.get(VASE)).headers()['x-cache']).toBe('HIT')
    await page.goto(VASE)
    await expect(page.getByText('In Stock(3)')).toBeVisible()
  })

  test('of a hidden product are purged', async ({ shop, request }) => {
    await storedPage(request, KITE)

    await market(shop, 'product', 'set', 'red-kite', 'hidden=true')

    const answer = await request.get(KITE)
    expect(answer.status()).toBe(404)
    expect(await answer.text()).toContain('Product Not Available')
    expect(await (await request.get('/products?category=Toys')).text()).not.toContain('Red kite')
    await market(shop, 'product', 'set', 'red-kite', 'hidden=false')
    expect((await request.get(KITE)).status()).toBe(200)
  })

  test('of products on sale show what has just been reduced', async ({ shop, request }) => {
    const sale = '/products?discount=1&sortPrice=biggest-discount'
    await market(shop, 'product', 'set', 'red-kite', 'discount=10')
    expect(await storedPage(request, sale)).toContain('Red kite')

    await market(shop, 'product', 'set', 'tall-vase', 'discount=20')

    const names = (await (await request.get(sale)).text()).match(/Tall vase|Red kite/g)
    expect([...new Set(names)]).toEqual(['Tall vase', 'Red kite'])
  })

  async function storedPage(request: APIRequestContext, path: string): Promise<string> {
    await request.get(path)
    const answer = await request.get(path)
    expect(answer.headers()['x-cache'], path).toBe('HIT')
    return answer.text()
  }
})
