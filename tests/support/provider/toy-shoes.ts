import type { Db } from '#server/db/types.ts'
import { addPictures } from '#server/operators/demo/pictures.ts'
import type { Media } from '#server/media/store.ts'
import { addProduct, addSeller } from '../catalogue/catalogue.ts'

/** More than all tests together order. */
const PLENTY = 900

/** Adds a shop whose products have sizes and colours. */
export async function addShoeShop(db: Db, media: Media): Promise<void> {
  const pictureOf = await addPictures(media, Object.values(PICTURES))
  const { id: sellerId, shopName } = await addSeller(db, { shopName: 'Soft Soles', shippingRates: { Kenya: 500 } })
  const shared = { sellerId, shopName, category: 'Shoes' }
  const [blue, red] = [pictureOf(PICTURES.Blue), pictureOf(PICTURES.Red)]
  const sneaker = (size: string, colour: 'Blue' | 'Red', stock: number, priceCents: number, discount = 0) => ({
    options: [
      ['Size', size],
      ['Colour', colour],
    ] as [string, string][],
    sku: `SN-${size}-${colour}`,
    picture: colour === 'Blue' ? blue : red,
    stock,
    priceCents,
    discount,
  })
  // There is no red one in 42 and no blue one in 44; the red one in 43 is sold out.
  const variants = [
    sneaker('42', 'Blue', PLENTY, 2000),
    sneaker('43', 'Blue', PLENTY, 3000),
    sneaker('43', 'Red', 0, 4000, 25),
    sneaker('44', 'Red', PLENTY, 4000, 25),
  ]
  const pictures = [blue, red].flatMap(picture => picture ?? [])
  await addProduct(db, { ...shared, slug: 'sneaker', name: 'Canvas sneaker', pictures, variants })
  // More sizes than are shown as chips.
  const sizes = Array.from({ length: 14 }, (_, at) => String(35 + at))
  await addProduct(db, {
    ...shared,
    slug: 'sandal',
    name: 'Leather sandal',
    variants: sizes.map(size => ({ options: [['Size', size]], stock: size === '38' ? 0 : PLENTY })),
  })
}

const PICTURES = { Blue: 'ballerina-flats-cornflower-1.webp', Red: 'ankle-boots-rainy-tuesday-1.webp' }
