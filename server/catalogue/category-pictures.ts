import type { StoredPicture } from '../db/schema.ts'
import { pictureAddress } from './pictures.ts'

/**
 * The pictures in `public/category-pictures`, each with words of category names that it stands for. The first match
 * counts, so narrow kinds precede wide ones: phones precede electronics. A plural in 's' is the same word.
 */
const WORDS = {
  watches: 'watch watches clock',
  glasses: 'glasses sunglasses eyeglasses eyewear',
  jewellery: 'jewellery jewelry ring necklace earring bracelet',
  shoes: 'shoe footwear boot sneaker trainer sandal slipper',
  bags: 'bag handbag backpack luggage suitcase wallet travel',
  baby: 'baby babies toddler infant nursery',
  phones: 'phone smartphone mobile tablet',
  audio: 'audio headphone earphone speaker hifi',
  cameras: 'camera optic photo photography binocular',
  gaming: 'gaming console videogame',
  toys: 'toy game puzzle doll',
  cycling: 'bike bicycle cycling',
  vehicles: 'vehicle car automotive auto motorcycle motor',
  outdoors: 'outdoor camping hiking tent',
  sports: 'sport sporting sportswear fitness gym athletic exercise',
  animals: 'animal pet dog cat',
  plants: 'plant garden gardening flower seed',
  lighting: 'light lighting lamp candle',
  beds: 'bed bedding bedroom mattress mattresses linen',
  furniture: 'furniture sofa chair table indoor',
  pottery: 'pottery ceramic vase stoneware',
  kitchen: 'kitchen kitchenware cookware dining tableware bakeware',
  food: 'food grocery groceries snack fruit vegetable',
  drinks: 'drink beverage coffee tea mug',
  beauty: 'beauty cosmetic makeup skincare fragrance perfume',
  health: 'health wellness medical pharmacy vitamin',
  hardware: 'hardware tool diy plumbing',
  books: 'book magazine literature',
  music: 'music musical instrument guitar',
  media: 'media film movie dvd software',
  art: 'art craft hobby hobbies entertainment',
  office: 'office stationery school',
  business: 'business industrial industry',
  gifts: 'gift party donation',
  electronics: 'electronic computer laptop appliance electrical',
  clothing:
    'apparel clothing clothes fashion tshirt shirt top hoodie dress dresses skirt jacket coat jeans ' +
    'trouser pants knitwear underwear women woman men man womenswear menswear',
  home: 'home house household decor living',
  accessories: 'accessory accessories hat cap beanie scarf scarves glove belt tie',
}

const pictureByWord = new Map<string, string>()
for (const [picture, words] of Object.entries(WORDS))
  for (const word of words.split(' ')) pictureByWord.set(singular(word), picture)
const precedence = Object.keys(WORDS)

/** The address of a category's picture or, if it has none, of the drawing that fits its name. Empty without either. */
export function categoryPicture({ name, picture }: { name: string; picture: StoredPicture | null }): string {
  return pictureAddress(picture) ?? pictureOfName(name)
}

/** The address of a picture for a category that has none of its own; empty if no word of its name is known. */
export function pictureOfName(category: string): string {
  const words =
    category
      .toLowerCase()
      .replaceAll('-', '')
      .match(/\p{L}+/gu) ?? []
  const known = new Set(words.map(word => pictureByWord.get(singular(word))))
  const picture = precedence.find(each => known.has(each))
  return picture ? `/category-pictures/${picture}.svg` : ''
}

function singular(word: string): string {
  return word.replace(/s$/, '')
}
