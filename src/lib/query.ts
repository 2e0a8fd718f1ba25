import * as z from 'zod/mini'

/** Reads query parameters with codecs. `isClean` becomes false once one is invalid or repeated. */
export function queryReader(query: URLSearchParams) {
  const reader = {
    isClean: true,
    /** Undefined if the parameter is absent or invalid. */
    read<T>(name: string, codec: z.ZodMiniType<T, string | undefined>): T | undefined {
      const [given, ...more] = query.getAll(name)
      const value = z.safeDecode(codec, given)
      if (more.length > 0 || !value.success) reader.isClean = false
      return value.data
    },
  }
  return reader
}
