import type { Part } from './place.ts'

/**
 * Parses a Range header for a file of `size` bytes. Null means the whole file (no header, another unit, several parts),
 * 'none' a part outside the file (416).
 */
export function readRange(header: string | undefined, size: number): Part | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start > end ? 'none' : { start, end }
}
