import { createComponent, renderSlotToString, unescapeHTML } from 'astro/runtime/server/index.js'
import { LRUCache } from 'lru-cache'

interface Props {
  /** Cache key: the fragment's name and all data that it depends on. Null disables the cache for it. */
  by: unknown[] | null
}

type Component = (props: Props) => unknown

/** Instruction to render the head. The page does that itself, so the cache can drop it. */
const HEAD = 'maybe-head'
const CHARACTERS = 8 * 1024 * 1024
const kept = new LRUCache<string, string>({
  maxSize: CHARACTERS,
  sizeCalculation: (markup, key) => markup.length + key.length,
})

/**
 * Caches rendered markup across pages, which share most of their product cards. The child must be a function that
 * returns the markup: Astro would render anything else before the cache is checked.
 */
export const CachedFragment = createComponent((result, { by }: Props, slots: { default: () => unknown }) => {
  const make = () => renderSlotToString(result, slots.default as never)
  // In development the components change, so the cache is off.
  if (!by || import.meta.env.DEV) return make() as never
  const key = JSON.stringify(by)
  return (kept.get(key) ?? make().then(made => keep(key, made))) as never
}) as unknown as Component

/** `made` is Astro's SlotString: a string that also carries the scripts and islands it contains. */
function keep(key: string, made: string): string {
  const { instructions, chunks } = made as unknown as { instructions: { type: string }[] | null; chunks: unknown[] }
  const texts = chunks.filter(chunk => typeof chunk === 'string')
  // Each page decides which scripts it still needs, so keep those; otherwise store plain text.
  const hasParts = texts.length < chunks.length || instructions?.some(({ type }) => type !== HEAD)
  const markup = hasParts ? made : (unescapeHTML(texts.join('')) as string)
  kept.set(key, markup)
  return markup
}
