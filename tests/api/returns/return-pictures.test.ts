import { afterAll, describe, expect, test } from 'vitest'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { namedKeys } from '#server/uploads/files.ts'
import { returnPictures } from '#server/db/schema.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { filesIn } from '#tests/support/uploads/uploading.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, paid, customer, request, close, uploadsDir } = shop
afterAll(close)
const market = operatorOf(shop)

const photos = async (count: number, name = 'crack') => {
  const bytes = new Uint8Array(await photograph())
  return Array.from({ length: count }, (_, at) => new File([bytes], `${name}-${at}.jpg`))
}

/** A return that waits for the shop. */
async function asked() {
  const order = await paid()
  await order.deliver()
  await order.ask('Mug', 1, 'return', 'damaged')
  const { id: returnId } = await order.latest()
  const { api } = order.ada
  return { ...order, returnId, show: (files: File[]) => api.addReturnPictures({ returnId, files }) }
}

describe('pictures of a return', () => {
  test('can be seen by the customer and, at signed addresses, by the shop', async () => {
    const { show, latest, returnId } = await asked()

    await show(await photos(2))

    const { pictures } = await latest()
    expect(pictures.map(({ originalName }) => originalName)).toEqual(['crack-0.jpg', 'crack-1.jpg'])
    expect(pictures[0]).toMatchObject({ type: 'image', mimeType: 'image/jpeg', width: 40, height: 60 })
    const served = await request(pictures[0]!.url)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await served.arrayBuffer()).includes('Ada at home')).toBe(false)
    expect((await market('return', 'list')).out).toContain('2 pictures')
    const { out } = await market('return', 'show', returnId)
    expect(out).toContain(`crack-1.jpg  http`)
    expect(out).toContain(pictures[1]!.url.split('?')[0])
  })

  test('are at most five, and none once it has ended', async () => {
    const { show, latest, ada, returnId } = await asked()
    await show(await photos(3))

    await expect(show(await photos(3, 'handle'))).rejects.toMatchObject({
      status: 422,
      message: 'A return has at most 5 pictures',
    })
    await show(await photos(2, 'handle'))
    expect((await latest()).pictures).toHaveLength(MAX_RETURN_PICTURES)

    await ada.api.withdrawReturn({ returnId })
    await expect(show(await photos(1, 'lid'))).rejects.toMatchObject({ status: 422 })
    const stored = await db.select({ key: returnPictures.key }).from(returnPictures)
    const inUse = stored.map(({ key }) => key)
    expect(await filesIn(uploadsDir)).toHaveLength(inUse.length)
    expect((await namedKeys(db, inUse)).size).toBe(inUse.length)
  })

  test('are stored once, although they are sent again after a lost response', async () => {
    const { show, latest } = await asked()
    await show(await photos(3))
    const before = await filesIn(uploadsDir)

    await Promise.all([show(await photos(3)), show(await photos(3))])

    expect((await latest()).pictures).toHaveLength(3)
    expect(await filesIn(uploadsDir)).toEqual(before)
    await show(await photos(4))
    expect((await latest()).pictures.map(({ originalName }) => originalName).at(-1)).toBe('crack-3.jpg')
  })

  test('must be pictures and no other files', async () => {
    const { show, latest } = await asked()
    await expect(show([new File(['Hello'], 'note.txt')])).rejects.toMatchObject({
      message: 'note.txt: please choose pictures',
    })
    await expect(show([new File(['Hello'], 'note.jpg')])).rejects.toMatchObject({
      message: 'note.jpg: the content is not that of a .jpg file',
    })
    expect((await latest()).pictures).toEqual([])
  })

  test('cannot be added, and their files do not stay, for another customer’s return', async () => {
    const { returnId, latest } = await asked()
    const eve = await customer('Eve')
    const before = await filesIn(uploadsDir)

    await expect(eve.api.addReturnPictures({ returnId, files: await photos(1) })).rejects.toMatchObject({ status: 404 })

    expect((await latest()).pictures).toEqual([])
    expect(await filesIn(uploadsDir)).toEqual(before)
  })

  test('are gone with the customer’s account', async () => {
    const { show, latest, ada } = await asked()
    await show(await photos(1))
    const { id, pictures } = await latest()
    const { url } = pictures[0]!
    await market('return', 'decline', id, '--because', 'It was used.')
    const keys = (await db.select({ key: returnPictures.key }).from(returnPictures)).map(({ key }) => key)

    expect(await market('customer', 'erase', ada.email, '--yes')).toMatchObject({ code: 0 })

    expect((await request(url)).status).toBe(404)
    expect((await namedKeys(db, keys)).size).toBe(keys.length - 1)
  })
})
