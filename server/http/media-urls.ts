/** The fields of encoded responses and events that hold URLs of pictures and files. */
const MEDIA_FIELDS = new Set(['image', 'images', 'url', 'thumbnail'])

/** Makes the picture and file URLs of an encoded response or event absolute, at `origin`, for pages of other sites. */
export function withAbsoluteMedia(value: unknown, origin: string, field = ''): unknown {
  if (typeof value === 'string') return MEDIA_FIELDS.has(field) && value.startsWith('/media/') ? origin + value : value
  if (Array.isArray(value)) return value.map(each => withAbsoluteMedia(each, origin, field))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAbsoluteMedia(each, origin, name)]))
}
