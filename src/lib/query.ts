import * as z from 'zod/mini'

/** Reads the parameters of an address, each by its codec; `isClean` is false once one of them was wrong or given twice. */
export function queryReader(query: URLSearchParams) {
  const reader = {
    isClean: true,
    /** Undefined for what is not given, and for what is wrong. */
    read<T>(name: string, codec: z.ZodMiniType<T, string | undefined>): T | undefined {
      const [given, ...more] = query.getAll(name)
      const value = z.safeDecode(codec, given)
      if (more.length > 0 || !value.success) reader.isClean = false
      return value.data
    },
  }
  return reader
}
