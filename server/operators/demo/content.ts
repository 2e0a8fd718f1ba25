import { readFile } from 'node:fs/promises'
import type { DayRange } from '#contract/delivery.ts'

interface BannerContent {
  title: string
  description: string
  link?: string
  image: string
}

export interface ShopContent {
  key: string
  shopName: string
  description: string
  verified: boolean
  ai: boolean
  image: string
  /** The lines of the address on receipts. */
  address: string[]
  /** Days from a payment until a parcel leaves. */
  handlingDays: DayRange
  /** Country → US dollars. */
  shippingRates: Record<string, number>
  banner?: BannerContent
}

export interface ProductContent {
  key: string
  /** The shop's key. */
  seller: string
  name: string
  category: string
  brand: string
  price: number
  discount: number
  stock: number
  description: string
  images: string[]
  isPromoted: boolean
  createdDaysAgo: number
  unitsSold: number
  variants?: { options: Record<string, string>; price?: number; stock: number }[]
  /** Pictures of the colours that `images` do not show. */
  colours?: Record<string, { image: string }>
  shippingExtra?: Record<string, number>
}

interface ReviewContent {
  /** The product's key. */
  product: string
  name: string
  rating: number
  review: string
  daysAgo: number
  /** Pictures by the reviewer. */
  images?: string[]
}

export interface DemoContent {
  categories: { name: string; image: string }[]
  shops: ShopContent[]
  products: ProductContent[]
  reviews: ReviewContent[]
  banners: BannerContent[]
}

export async function readContent(): Promise<DemoContent> {
  const [categories, shops, products, reviews, banners] = await Promise.all([
    read<DemoContent['categories']>('categories'),
    read<ShopContent[]>('sellers'),
    read<ProductContent[]>('products'),
    read<ReviewContent[]>('reviews'),
    read<BannerContent[]>('banners'),
  ])
  return { categories, shops, products, reviews, banners }
}

/** A product's pictures, those of its further colours last. */
export function imagesOf({ images, colours = {} }: ProductContent): string[] {
  return [...images, ...Object.values(colours).map(({ image }) => image)]
}

/** All pictures that the content uses, except those of reviews. */
export function picturesOf({ categories, shops, products, banners }: DemoContent): string[] {
  const shown = [categories, shops, banners].flat().map(({ image }) => image)
  const own = shops.flatMap(({ banner }) => banner?.image ?? [])
  return [...new Set([...shown, ...own, ...products.flatMap(imagesOf)])]
}

export function readPictureFile(name: string): Promise<Buffer> {
  return readFile(new URL(`./pictures/${name}`, import.meta.url))
}

async function read<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(`./content/${name}.json`, import.meta.url), 'utf8')) as Content
}
