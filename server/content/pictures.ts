import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Sharp } from 'sharp'
import { PICTURES } from './places.ts'
import { ROOT } from './root.ts'

/** A picture of a page, and the sizes that it is made in. */
export interface Picture {
  file: string
  width: number
  height: number
  renditions: Rendition[]
}

export interface Rendition {
  address: string
  width: number
}

/** A page's text is 640 px wide at most; the larger one is for dense screens. */
const WIDTHS = [640, 1280]
const QUALITY = 82
const FROM_ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i

/** Finds a picture from the address in a Markdown file, or says why it cannot be shown. */
export async function readPicture(url: string, markdownFile: string): Promise<Picture | string> {
  if (url.trim() === '') return 'the picture has no address'
  if (FROM_ELSEWHERE.test(url))
    return `${url.slice(0, 80)} is not a file of this shop: save the picture beside the page`
  const file = fileOf(url, markdownFile)
  if (!file || !isThere(file)) return `there is no picture ${url}`
  try {
    const { autoOrient } = await (await open(file)).metadata()
    const { width, height } = autoOrient
    return { file, width, height, renditions: renditionsOf(file, width) }
  } catch {
    return `${url} is not a picture that can be shown (JPEG, PNG, WebP, AVIF, GIF or SVG)`
  }
}

/** The picture as WebP, at most so wide. */
export async function makeRendition(file: string, width: number): Promise<Buffer> {
  return (await open(file))
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer()
}

/** Only pages with pictures wait for sharp to load. */
async function open(file: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(file)
}

function fileOf(url: string, markdownFile: string): string | null {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    const isPublic = path.startsWith('/')
    const home = isPublic ? join(ROOT, 'public') : dirname(markdownFile)
    const file = resolve(home, `.${isPublic ? '' : '/'}${path}`)
    return relative(home, file).startsWith('..') ? null : file
  } catch {
    return null
  }
}

/** Some systems find `Map.PNG` as `map.png`; the one that the shop runs on may not. */
function isThere(file: string): boolean {
  try {
    return readdirSync(dirname(file)).includes(basename(file))
  } catch {
    return false
  }
}

function renditionsOf(file: string, width: number): Rendition[] {
  const name = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
  const widths = [...WIDTHS.filter(step => step < width), Math.min(width, WIDTHS.at(-1)!)]
  return widths.map(step => ({ address: `${PICTURES}${name}-${step}.webp`, width: step }))
}
