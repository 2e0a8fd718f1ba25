import type { APIRequestContext } from 'playwright/test'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'
import { ON_DEMO_PAGES, ON_SPARSE_PAGES, seenAs } from '#tests/support/browser/spec-texts.ts'

const sparse = testWithShop(async db => {
  await addProduct(db, { slug: 'only', name: 'Only', stock: 0 })
})

/** The text of a page without scripts and markup. */
async function wordsOf(request: APIRequestContext, path: string): Promise<string> {
  const html = await (await request.get(path)).text()
  const [, body = ''] = /<body[^>]*>([^]*)/.exec(html) ?? []
  const words = body.replace(/<(script|style)\b[^]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ')
  return words.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replace(/\s+/g, ' ')
}

async function missing(request: APIRequestContext, pages: Record<string, string[]>) {
  const found = await Promise.all(
    Object.entries(pages).map(async ([path, texts]) => {
      const words = await wordsOf(request, path)
      return texts.filter(text => !seenAs(text).test(words)).map(text => `${path}: ${text}`)
    }),
  )
  return found.flat()
}

test('pages contain the texts of the specification', { tag: '@desktop' }, async ({ request }) => {
  expect(await missing(request, ON_DEMO_PAGES)).toEqual([])
})

sparse('pages that have little to show say so in its words', { tag: '@desktop' }, async ({ request }) => {
  expect(await missing(request, ON_SPARSE_PAGES)).toEqual([])
})
