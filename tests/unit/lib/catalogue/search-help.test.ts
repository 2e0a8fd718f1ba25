import { expect, test } from 'vitest'
import { helpTopicOf } from '#lib/catalogue/search-help.ts'

test.each([
  ['Where is my order?', 'orders'],
  ['track my parcel', 'orders'],
  ['Returns', 'returns'],
  ['how do I return an item', 'returns'],
  ['shipping', 'delivery'],
  ['how long does delivery take?', 'delivery'],
  ['contact', 'contact'],
  ['speak to a human', 'contact'],
  ['track suit', undefined],
  ['returning boomerang', undefined],
  ['where', undefined],
])('a search for %j is for help about %s', (search, topic) => {
  expect(helpTopicOf(search)).toBe(topic)
})
