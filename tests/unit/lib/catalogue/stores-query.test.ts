import { describe, expect, test } from 'vitest'
import { readStoresQuery, storesAddress } from '#lib/catalogue/stores-query.ts'

const read = (query: string) => readStoresQuery(new URLSearchParams(query))

describe('the address of the stores page', () => {
  test('defaults to all stores in a grid on the first page', () => {
    const asked = { sort: 'all', layout: 'grid', page: 1 }
    expect(read('')).toEqual({ asked, isClean: true })
    expect(read('sort=&layout=&pageNumber=&utm_source=mail')).toEqual({ asked, isClean: true })
  })

  test('round-trips to the same address', () => {
    const query = 'sort=verified&layout=list&pageNumber=3'
    expect(storesAddress('/stores', read(query).asked)).toBe(`/stores?${query}`)
  })

  test('leaves out default values', () => {
    expect(storesAddress('/stores', read('sort=all&pageNumber=1').asked)).toBe('/stores')
  })

  test.each([
    'sort=best',
    'layout=table',
    'pageNumber=0',
    'pageNumber=x',
    'pageNumber=-1',
    'sort=all&sort=verified',
    'sort=%00',
  ])('is not clean with %s', query => {
    expect(read(query).isClean).toBe(false)
  })
})
