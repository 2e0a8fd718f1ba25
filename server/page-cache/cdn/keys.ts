import { hash } from 'node:crypto'

/** On each stored page: purges all of them, but no pictures and files. */
export const ALL_PAGES = 'pages'
/** On pages that show more than their keys can name; purged with each change. */
const MANY = 'many'

/** Proxies have 4 kB for all headers of a response, and keys are sent twice. */
const MAX_KEYS = 100
/** 48 bits: two tags with the same key only cost a page that is rendered again. */
const KEY_LENGTH = 8

/** A tag's short name at a CDN. */
export function keyOf(tag: string): string {
  return hash('sha1', tag, 'base64url').slice(0, KEY_LENGTH)
}

/** The keys of a page with these tags, at most a hundred of eight letters. */
export function keysOfPage(tags: string[]): string[] {
  const own = tags.length > MAX_KEYS ? [MANY, ...tags.slice(0, MAX_KEYS).map(keyOf)] : tags.map(keyOf)
  return [ALL_PAGES, ...own]
}

/** The keys to purge after changes of these tags. */
export function keysOfChanges(tags: string[]): string[] {
  return [MANY, ...tags.map(keyOf)]
}
