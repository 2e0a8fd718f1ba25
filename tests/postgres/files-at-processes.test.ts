import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { ApiError } from '#lib/api.ts'
import { reviews } from '#server/db/schema.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { holdOpen, untilWaiting } from '#tests/support/faults/lock-waits.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'

const { processes, database, close } = await startEqualProcesses()
afterAll(close)

/** Repeats a request that has waited for a lock for as long as a statement may: the other one may come later. */
async function patiently<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if ((error as ApiError).status !== 503) throw error
    }
  }
}

test('pictures of a customer whose address is unconfirmed take 10 MB at most, also when two processes store them at once', async () => {
  const { token } = await apiAt(processes[0]!.url).register(newcomer('Grace'))
  const raw = { width: 1500, height: 1500, channels: 3 } as const
  const noise = await sharp(randomBytes(1500 * 1500 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const products = await Promise.all([addProduct(database.db), addProduct(database.db)])
  const apis = processes.map(({ url }) => apiAt(url, token))
  for (const { id: productId } of products) await apis[0]!.submitReview({ productId, review: 'Good', rating: 5 })

  let sent = Promise.allSettled<Promise<unknown>[]>([])
  await holdOpen(database, async tx => {
    await tx.select().from(reviews).for('update')
    const files = [new File([new Uint8Array(noise)], 'noise.png')]
    sent = Promise.allSettled(
      apis.map((api, at) => patiently(() => api.addReviewPictures({ productId: products[at]!.id, files }))),
    )
    await untilWaiting(database.db, 2)
  })

  const refused = (await sent).filter(each => each.status === 'rejected').map(each => each.reason as ApiError)
  expect(refused).toMatchObject([{ status: 422, message: 'Please confirm your email address to send more files' }])
})
