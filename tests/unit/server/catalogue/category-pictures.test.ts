import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pictureOfName } from '#server/catalogue/category-pictures.ts'

/** The widest categories of Google's and Shopify's taxonomies, and names from files that shops export. */
test.each([
  ['Animals & Pet Supplies', 'animals'],
  ['Apparel & Accessories', 'clothing'],
  ['Arts & Entertainment', 'art'],
  ['Baby & Toddler', 'baby'],
  ['Business & Industrial', 'business'],
  ['Cameras & Optics', 'cameras'],
  ['Electronics', 'electronics'],
  ['Food, Beverages & Tobacco', 'food'],
  ['Furniture', 'furniture'],
  ['Hardware', 'hardware'],
  ['Health & Beauty', 'beauty'],
  ['Home & Garden', 'plants'],
  ['Luggage & Bags', 'bags'],
  ['Media', 'media'],
  ['Office Supplies', 'office'],
  ['Software', 'media'],
  ['Sporting Goods', 'sports'],
  ['Toys & Games', 'toys'],
  ['Vehicles & Parts', 'vehicles'],
  ['Gift Cards', 'gifts'],
  ['Clothing > Tshirts', 'clothing'],
  ['T-Shirts', 'clothing'],
  ['Mobile Phone Accessories', 'phones'],
  ['WATCHES', 'watches'],
  ['Home Decor', 'home'],
  ['Accessories', 'accessories'],
  ['Belts', 'accessories'],
  ['Indoor', 'furniture'],
  ['Outdoor', 'outdoors'],
  ['Hoodies', 'clothing'],
  ['Music', 'music'],
])('the category %s has the picture of %s', (category, picture) => {
  expect(pictureOfName(category)).toBe(`/category-pictures/${picture}.svg`)
})

test.each(['', 'Uncategorised', 'Carpets', 'Smart', '着物'])('%j has no picture', category => {
  expect(pictureOfName(category)).toBe('')
})

test('each picture is used for a category', () => {
  const files = readdirSync('public/category-pictures')

  expect(files.map(file => pictureOfName(file.replace('.svg', '')).split('/').at(-1))).toEqual(files)
})
