import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import type { Sharp } from 'sharp'
import { PICTURES } from './paths.ts'

/** A picture of a page, and its renditions. */
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

/** A page's text is at most 640 px wide; the larger rendition is for high-density screens. */
const WIDTHS = [640, 1280]
const QUALITY = 82
/** Addresses of renditions that could be encoded: the preview reads all pictures again for each page. */
const encodable = new Set<string>()
const FROM_ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i

/** Finds the picture of a URL in a Markdown file; returns the reason as a string if it cannot be shown. */
export async function readPicture(url: string, markdownFile: string): Promise<Picture | string> {
  if (url.trim() === '') return 'the picture has no address'
  if (FROM_ELSEWHERE.test(url))
    return `${url.slice(0, 80)} is not a file of this shop: save the picture beside the page`
  const file = fileOf(url, markdownFile)
  if (!file || !isThere(file)) return `there is no picture ${url}`
  try {
    const { autoOrient } = await (await openPicture(file)).metadata()
    const { width, height } = autoOrient
    const renditions = renditionsOf(file, width)
    // The metadata does not show that the rest of a file is missing, or that the picture is too high for WebP.
    const largest = renditions.at(-1)!
    if (!encodable.has(largest.address)) await makeRendition(file, largest.width)
    encodable.add(largest.address)
    return { file, width, height, renditions }
  } catch {
    const formats = 'JPEG, PNG, WebP, AVIF, GIF or SVG'
    return `${url} is not a picture that can be shown (${formats}), or is damaged, or more than 16,383 pixels high`
  }
}

/** Encodes the picture as WebP, at most `width` wide. */
export async function makeRendition(file: string, width: number): Promise<Buffer> {
  return (await openPicture(file))
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer()
}

/** Loads sharp only when a page has pictures. */
async function openPicture(file: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(file)
}

function fileOf(url: string, markdownFile: string): string | null {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    const isPublic = path.startsWith('/')
    const home = isPublic ? resolve('public') : dirname(markdownFile)
    const file = resolve(home, `.${isPublic ? '' : '/'}${path}`)
    return relative(home, file).startsWith('..') ? null : file
  } catch {
    return null
  }
}

/** Compares names exactly: some systems open `Map.PNG` as `map.png`, but the server's may not. */
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
