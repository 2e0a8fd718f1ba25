import { createComponent, renderSlotToString, unescapeHTML } from 'astro/runtime/server/index.js'
import { LRUCache } from 'lru-cache'

interface Props {
  /** Everything that what is inside depends on, its name first; null for what will hardly be the same again. */
  by: unknown[] | null
}

type Component = (props: Props) => unknown

/** The page writes its head itself, wherever this stands. */
const HEAD = 'maybe-head'
const CHARACTERS = 8 * 1024 * 1024
const kept = new LRUCache<string, string>({
  maxSize: CHARACTERS,
  sizeCalculation: (markup, key) => markup.length + key.length,
})

/**
 * Markup that is put together once: pages share the cards of their products, and most of them come again as they were.
 * What is inside must be a function that returns the markup: Astro puts anything else together before this is asked.
 */
export const CachedFragment = createComponent((result, { by }: Props, slots: { default: () => unknown }) => {
  const make = () => renderSlotToString(result, slots.default as never)
  // While the shop is developed, what is inside changes by itself.
  if (!by || import.meta.env.DEV) return make() as never
  const key = JSON.stringify(by)
  return (kept.get(key) ?? make().then(made => keep(key, made))) as never
}) as unknown as Component

/** `made` is what Astro calls a string: one that knows the scripts and islands in it. */
function keep(key: string, made: string): string {
  const { instructions, chunks } = made as unknown as { instructions: { type: string }[] | null; chunks: unknown[] }
  const texts = chunks.filter(chunk => typeof chunk === 'string')
  // Each page decides whether it has a script already; all else is one text.
  const hasParts = texts.length < chunks.length || instructions?.some(({ type }) => type !== HEAD)
  const markup = hasParts ? made : (unescapeHTML(texts.join('')) as string)
  kept.set(key, markup)
  return markup
}
