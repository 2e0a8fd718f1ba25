/** The fields in which answers carry the addresses of pictures and files. */
const FIELDS = new Set(['image', 'images', 'url'])
const MEDIA = '/media/'

/** An encoded answer whose pictures and files have whole addresses at `origin`, for pages of other sites. */
export function withAbsoluteMedia(value: unknown, origin: string, field = ''): unknown {
  if (typeof value === 'string') return FIELDS.has(field) && value.startsWith(MEDIA) ? origin + value : value
  if (Array.isArray(value)) return value.map(each => withAbsoluteMedia(each, origin, field))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAbsoluteMedia(each, origin, name)]))
}
