/** The response fields that hold URLs of pictures and files. */
const FIELDS = new Set(['image', 'images', 'url'])
const MEDIA = '/media/'

/** Makes the picture and file URLs of an encoded response absolute, at `origin`, for pages of other sites. */
export function withAbsoluteMedia(value: unknown, origin: string, field = ''): unknown {
  if (typeof value === 'string') return FIELDS.has(field) && value.startsWith(MEDIA) ? origin + value : value
  if (Array.isArray(value)) return value.map(each => withAbsoluteMedia(each, origin, field))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAbsoluteMedia(each, origin, name)]))
}
