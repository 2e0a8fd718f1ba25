import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from '#server/db/errors.ts'
import type { Db } from '#server/db/types.ts'
import type { CarouselDraft, CategoryDraft, ProductDraft } from '../drafts.ts'
import { storeCategories, storePlatformBanners, storeProducts } from '../store-drafts.ts'
import type { StoredProduct } from '../store-drafts.ts'

/** Small enough that shoppers hardly wait and that statements stay far below their timeout. */
const BATCH = { products: 100, variants: 1000, characters: 250_000 }
const ATTEMPTS = 3
const PAUSE_MS = 500

interface Batch {
  signal?: AbortSignal | undefined
  isDryRun: boolean
  onStored: (stored: StoredProduct[]) => void
}

/** Stores products in batches; `flush` stores the last ones. Throws the signal's reason between batches. */
export function openBatch(db: Db, { signal, isDryRun, onStored }: Batch) {
  let batch: ProductDraft[] = []
  let variants = 0
  let characters = 0

  async function flush(): Promise<void> {
    signal?.throwIfAborted()
    const stored = await withRetries(() => storeProducts(db, batch, { isDryRun }))
    batch = []
    variants = 0
    characters = 0
    onStored(stored)
  }

  return {
    flush,
    async add(draft: ProductDraft): Promise<void> {
      // The dry run has rolled the product's earlier rows back, so there is nothing to add this one to.
      if (isDryRun && draft.isRest) return
      // Sanitising descriptions takes time: lets waiting requests run first.
      await setImmediate()
      // One transaction must not change a product twice.
      if (draft.isRest && batch.some(({ handle }) => handle === draft.handle)) await flush()
      batch.push(draft)
      variants += draft.variants.length
      characters += draft.description?.length ?? 0
      const isFull = batch.length >= BATCH.products || variants >= BATCH.variants || characters >= BATCH.characters
      if (isFull) await flush()
    },
  }
}

/** Stores a category's picture or the banners of the home page. */
export async function storeOther(db: Db, draft: CategoryDraft | CarouselDraft): Promise<void> {
  await withRetries(() => ('banners' in draft ? storePlatformBanners(db, draft.banners) : storeCategories(db, [draft])))
}

/** Tries up to three times while errors are temporary. Safe, because `work` stores either all or nothing. */
export async function withRetries<Result>(work: () => Promise<Result>, attempt = 1): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (attempt >= ATTEMPTS || !isTransient(error)) throw error
    await sleep(PAUSE_MS * attempt)
    return withRetries(work, attempt + 1)
  }
}
