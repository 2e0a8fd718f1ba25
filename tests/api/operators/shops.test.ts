import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sellers } from '#server/db/schema.ts'
import { addProduct, addReview } from '#tests/support/catalogue/catalogue.ts'
import { openOperatedShop } from '#tests/support/provider/operated-shop.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'

const { db, api, customer, market, purgedBy, audited, openShop, place, pay } = await openOperatedShop()

describe('a hidden shop', () => {
  test('appears nowhere, nor do its products, until it is shown again', async () => {
    const { seller, product } = await openShop('hiding', 'Hiding')
    const secret = await addProduct(db, { sellerId: seller.id, isHidden: true })
    const findings = async () => {
      const missing = (error: { status: number }) => error.status
      return {
        product: await api.getProduct({ id: product.slug }).then(() => 200, missing),
        availability: await api.getAvailability({ id: product.id }).then(() => 200, missing),
        store: await api.getSellerProducts({ sellerId: seller.id, page: 1 }).then(found => found.total, missing),
        training: await api.getTrainingData({ sellerId: seller.id }).then(() => 200, missing),
        search: (await api.queryProducts({ search: 'Hiding teapot' })).products.map(({ slug }) => slug),
        category: (await api.getCategories({})).categories.some(({ name }) => name === 'hiding goods'),
        stores: (await api.getSellers({ verified: true, pageSize: 50 })).sellers.some(({ _id }) => _id === seller.id),
        featured: (await api.getFeaturedSellers({})).sellers.some(({ _id }) => _id === seller.id),
        banner: (await api.getBanners({})).banners.some(({ title }) => title === 'Hiding sale'),
        newest: (await api.getHomeProducts({})).latest.some(({ _id }) => _id === product.id),
        secret: await api.getProduct({ id: secret.id }).then(() => 200, missing),
      }
    }
    const shown = await findings()

    expect(await market('seller', 'hide', 'Hiding')).toEqual({
      code: 0,
      out: 'Hiding is hidden with its products now\n',
      err: '',
    })

    expect(await findings()).toEqual({
      product: 404,
      availability: 404,
      store: 404,
      training: 404,
      search: [],
      category: false,
      stores: false,
      featured: false,
      banner: false,
      newest: false,
      secret: 404,
    })
    expect(await market('seller', 'hide', 'hiding')).toMatchObject({
      out: 'Hiding is hidden with its products already\n',
    })
    expect((await market('seller', 'hide', 'hiding', '--off')).out).toBe('Hiding is shown with its products now\n')
    expect(await findings()).toEqual(shown)
    expect(shown).toMatchObject({ product: 200, search: ['hiding-teapot'], stores: true, banner: true, secret: 404 })
    expect((await audited('seller_hidden')).map(({ details }) => details)).toEqual([{ id: seller.id }])
    expect(await audited('seller_shown')).toHaveLength(1)
  })

  test('takes no new orders but still ships existing ones', async () => {
    const ada = await customer()
    const { seller, product } = await openShop('closing', 'Closing')
    const isAnswered = async () => (await ada.api.getAiStatus({ sellerId: seller.id })).hasAi
    expect(await isAnswered()).toBe(true)
    const paid = await place(ada, product)
    await pay(ada, paid)
    const unpaid = await place(ada, product)
    await ada.api.addToCart({ userId: ada.id, productId: product.id, quantity: 1 })

    expect((await market('seller', 'hide', 'closing')).out).toBe(
      'Closing is hidden with its products now; it still has 1 order to ship\n',
    )

    await expect(place(ada, product)).rejects.toMatchObject({ status: 422 })
    await expect(ada.api.addToCart({ userId: ada.id, productId: product.id, quantity: 1 })).rejects.toMatchObject({
      status: 404,
    })
    expect((await ada.api.getCart({ userId: ada.id })).outOfStock).toHaveLength(1)
    expect(await isAnswered()).toBe(false)
    await ada.api.sendMessage({ userId: ada.id, sellerId: seller.id, text: 'Where is my order?' })
    await pay(ada, unpaid)
    expect(await market('order', 'ship', paid, '--shop', 'closing')).toMatchObject({ code: 0 })
    expect(await market('order', 'ship', unpaid)).toMatchObject({ code: 0 })
    const came = await addProduct(db, { sellerId: seller.id })
    await expect(api.getProduct({ id: came.id })).rejects.toMatchObject({ status: 404 })
    await assertInvariants(db)
  })

  test('is cleared from all cached pages that show it', async () => {
    const { seller, product } = await openShop('stored', 'Stored')

    expect(await purgedBy('seller', 'hide', 'stored')).toEqual(
      expect.arrayContaining([
        `product:${product.id}`,
        `seller:${seller.id}`,
        `store:${seller.id}`,
        'category:stored goods',
        'categories',
        'products',
        'stores',
        'banners',
        'home',
      ]),
    )
  })
})

describe('the operator’s shop commands', () => {
  test('list and show shops', async () => {
    const { seller } = await openShop('listed', 'Listed \u001B[31mred')
    await market('seller', 'email', 'listed', 'Listed@Shop.example')

    expect((await market('seller', 'list', 'listed')).out).toBe(
      'listed  Listed  [31mred  1 product  0 orders to ship  verified\n',
    )
    expect((await market('seller', 'show', 'listed')).out).toBe(
      [
        'Listed  [31mred (listed), verified',
        '1 product, 0 of them hidden; 0 orders, 0 of them to ship',
        'Ships to no country',
        'Mails about paid orders go to listed@shop.example',
        "Receipts have no address: set it with 'seller address listed LINE…'",
        'Customers’ messages are answered automatically',
        `http://provider.test/stores/listed-31mred/${seller.id}`,
        '',
      ].join('\n'),
    )
    expect((await market('seller', 'list', '--limit', '1')).err).toBe(
      'Only the first 1 are listed: --limit N lists more\n',
    )
    expect((await market('seller', 'list', 'nothing like it')).out).toBe('No shop\n')
    expect(await market('seller', 'show', 'nowhere')).toEqual({
      code: 1,
      out: '',
      err: "No shop is called 'nowhere'\n",
    })
  })

  test('rename a shop everywhere, but not to a name that another shop has', async () => {
    const { seller, product } = await openShop('old-name', 'Old Name')
    await openShop('taken', 'Taken')

    expect(await purgedBy('seller', 'rename', 'Old Name', 'New Name')).toContain(`product:${product.id}`)

    expect((await api.getProduct({ id: product.slug })).product.shopName).toBe('New Name')
    expect((await api.getSellerProducts({ sellerId: seller.id, page: 1 })).seller.shopName).toBe('New Name')
    expect((await api.queryProducts({ search: 'New Name' })).products).toHaveLength(1)
    expect(await market('seller', 'show', 'New Name')).toMatchObject({ code: 0 })
    expect(await market('seller', 'rename', 'old-name', 'Taken')).toMatchObject({
      code: 1,
      err: "Another shop, 'taken', has this name\n",
    })
    expect(await market('seller', 'add', 'New Name')).toMatchObject({
      code: 1,
      err: "There is a shop 'old-name' already\n",
    })
    expect(await audited('seller_renamed')).toMatchObject([
      { details: { id: seller.id, from: 'Old Name', to: 'New Name' } },
    ])
  })

  test('record what they change in the audit log', async () => {
    await market('seller', 'add', 'Ledger')
    await market('seller', 'verify', 'ledger', '--off')
    await market('seller', 'ai', 'ledger', '--off')
    await market('seller', 'refund-shipping', 'ledger', '--off')
    await market('seller', 'shipping', 'ledger', 'Kenya=5', '--handling', '1-2')
    await market('seller', 'token', 'ledger')
    await market('seller', 'token', 'ledger', '--revoke')

    const [seller] = await db.select({ id: sellers.id }).from(sellers).where(eq(sellers.key, 'ledger'))
    const id = seller!.id
    expect(await audited('seller_added')).toMatchObject([{ details: { id, key: 'ledger' } }])
    expect((await audited('seller_changed')).map(({ details }) => details)).toEqual([
      { id, isVerified: false },
      { id, hasAi: false },
      { id, refundsShipping: false },
    ])
    expect(await audited('seller_shipping')).toMatchObject([
      { details: { id, shippingRates: { Kenya: 500 }, handlingDays: [1, 2] } },
    ])
    expect(await audited('seller_token')).toMatchObject([{ details: { sellerId: id } }])
    expect(await audited('seller_tokens_revoked')).toMatchObject([{ details: { sellerId: id } }])
  })

  test('remove a shop and its products once it has no open orders; old orders keep what was bought', async () => {
    const ada = await customer()
    const { seller, product } = await openShop('leaving', 'Leaving')
    await addReview(db, product.id)
    await ada.api.openConversation({ userId: ada.id, sellerId: seller.id })
    const orderId = await place(ada, product)
    expect(await market('seller', 'remove', 'leaving', '--yes')).toMatchObject({
      code: 1,
      err: "Leaving has 1 open order: ship or cancel first ('seller hide' stops new ones)\n",
    })
    await pay(ada, orderId)
    await market('order', 'ship', orderId)

    const asked = await market('seller', 'remove', 'leaving')
    expect(asked).toEqual({
      code: 3,
      out: '',
      err: 'This removes Leaving with 1 product and 1 chat; 1 order keeps what was bought there\n',
    })
    expect((await api.getSellerProducts({ sellerId: seller.id, page: 1 })).total).toBe(1)
    expect(await market('seller', 'remove', 'leaving', '--yes')).toEqual({
      code: 0,
      out: 'Removed Leaving with 1 product and 1 chat; 1 order keeps what was bought there\n',
      err: '',
    })

    await expect(api.getProduct({ id: product.slug })).rejects.toMatchObject({ status: 404 })
    await expect(api.getSellerProducts({ sellerId: seller.id, page: 1 })).rejects.toMatchObject({ status: 404 })
    const { sellerOrders } = await ada.api.getOrder({ orderId })
    expect(sellerOrders).toMatchObject([
      { shopName: 'Leaving', products: [{ productInfo: { name: 'Leaving teapot' } }] },
    ])
    expect(await market('order', 'deliver', orderId, '--shop', 'Leaving')).toMatchObject({ code: 0 })
    expect(await audited('seller_removed')).toMatchObject([{ details: { id: seller.id, productCount: 1 } }])
    await assertInvariants(db)
  })

  test('decide on what customers return of a shop that was removed, as nobody else would reply', async () => {
    const ada = await customer()
    const { product } = await openShop('gone', 'Gone')
    const orderId = await place(ada, product)
    await pay(ada, orderId)
    await market('order', 'ship', orderId)
    await market('order', 'deliver', orderId)
    expect(await market('seller', 'remove', 'gone', '--yes')).toMatchObject({ code: 0 })
    const { available } = await ada.api.getReturns({ orderId })
    const { sellerOrderId, lines } = available[0]!
    const goods = { orderId, sellerOrderId, lines: [{ lineId: lines[0]!.lineId, quantity: 1 }] }
    const request = () => ada.api.requestReturn({ kind: 'return', reason: 'damaged', words: '', ...goods })

    const { returnId, message } = await request()

    expect(message).toBe('We will look into it and decide')
    expect(await request()).toEqual({ returnId, message })
    expect((await ada.api.getReturns({ orderId })).returns).toMatchObject([{ id: returnId, status: 'escalated' }])
    expect((await market('return', 'list', '--shop', 'Gone')).out).toContain(`${returnId}  return  escalated`)
    expect((await market('return', 'decide', returnId, 'allow')).err).toBe(
      'The shop is removed, so nobody would receive it: refund or refuse it\n',
    )
    expect(await market('return', 'decide', returnId, 'refund')).toMatchObject({ code: 0 })
    await assertInvariants(db)
  })

  test('cannot remove a shop while it has returns under way, so that customers can still send the goods to it', async () => {
    const ada = await customer()
    const { product } = await openShop('returning', 'Returning')
    const orderId = await place(ada, product)
    await pay(ada, orderId)
    await market('order', 'ship', orderId)
    await market('order', 'deliver', orderId)
    await market('seller', 'address', 'returning', '12 Quay Street', 'Mombasa')
    const { available } = await ada.api.getReturns({ orderId })
    const { sellerOrderId, lines } = available[0]!
    const goods = { sellerOrderId, lines: [{ lineId: lines[0]!.lineId, quantity: 1 }] }
    await ada.api.requestReturn({ orderId, kind: 'return', reason: 'damaged', words: '', ...goods })
    const returnOf = async () => (await ada.api.getReturns({ orderId })).returns[0]!
    await market('return', 'approve', (await returnOf()).id)

    const refusal = {
      code: 1,
      err: "Returning has returns under way: end them first ('return list --shop' shows them)\n",
    }
    expect(await market('seller', 'remove', 'returning')).toMatchObject(refusal)
    expect(await market('seller', 'remove', 'returning', '--yes')).toMatchObject(refusal)
    expect((await returnOf()).sendTo).toEqual(['12 Quay Street', 'Mombasa'])

    await ada.api.withdrawReturn({ returnId: (await returnOf()).id })
    expect(await market('seller', 'remove', 'returning', '--yes')).toMatchObject({ code: 0 })
  })
})
