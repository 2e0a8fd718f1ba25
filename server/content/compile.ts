import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import type { Introduction, Policy } from '#contract/policies.ts'
import { readBody } from './body.ts'
import { describeMistakes, type Mistake } from './mistake.ts'
import { readFrontMatter } from './front-matter.ts'
import { draftIntroductions } from './introductions.ts'
import { findLinkMistake } from './links.ts'
import { type Picture, readPicture } from './pictures.ts'
import { policySchema } from './policy-schema.ts'
import { addressKey, renderMarkdown } from './render.ts'
import { readSite, type Site } from './site.ts'
import { decodeSource, isLeftByProgram } from './source.ts'

export interface Compiled {
  /** The pages without mistakes, in the footer's order. */
  policies: Policy[]
  pictures: Picture[]
  /** The introductions of categories without mistakes. */
  introductions: Introduction[]
  /** Mistakes by file, each as `file:line: text`. */
  mistakes: Map<string, string[]>
}

interface Options {
  folder?: string
  /** The folder of categories' introductions; `categories` beside `folder` by default. It may be missing. */
  categories?: string
  /** Later dates are mistakes. A build passes none, so that it works on a machine whose clock is slow. */
  now?: Date
}

interface Draft {
  file: string
  id: string
  policy: Policy | null
  links: { url: string; line: number }[]
  pictures: Picture[]
  headingIds: string[]
  mistakes: Mistake[]
}

export const POLICIES = resolve('src/content/policies')
export const CATEGORIES = resolve('src/content/categories')
/** Pages that other pages of the shop link. */
const LINKED = ['return-refund-policy', 'terms-and-conditions', 'privacy-policy']
const MARKDOWN = /\.(md|mdx|markdown)$/i
const PAGE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*\.md$/
const FIRST_LINE = 1
/** The time zone furthest ahead is 14 hours ahead of UTC. */
const EARLIEST_ZONE_MS = 14 * 60 * 60 * 1000

/** The mistakes of all files or, if there are none, the pages that the shop itself needs and that are not there. */
export function listMistakes({ policies, mistakes }: Compiled): string[] {
  if (mistakes.size > 0) return [...mistakes.values()].flat()
  const missing = LINKED.filter(id => policies.every(policy => policy.id !== id))
  return missing.map(id => `${id}.md is missing: other pages of the shop link /${id}`)
}

/** Checks and renders the policy pages of a folder, and the introductions of categories. */
export async function compilePolicies({
  folder = POLICIES,
  categories = join(folder, '../categories'),
  now,
}: Options): Promise<Compiled> {
  const site = readSite()
  const drafts: Draft[] = []
  for (const file of markdownFiles(folder)) drafts.push(await draft(join(folder, file), file, site, now))
  const anchors = new Map(drafts.map(({ id, headingIds }) => [id, new Set(headingIds)]))
  const introductions = await draftIntroductions(categories)
  for (const { id, links, mistakes } of [...drafts, ...introductions.map(each => ({ ...each, id: '' }))]) {
    for (const { url, line } of links) {
      const text = findLinkMistake(url, { id, anchors, site })
      if (text) mistakes.push({ line, text })
    }
  }
  const wrong = [...drafts, ...introductions].filter(({ mistakes }) => mistakes.length > 0)
  const sound = drafts.filter(({ mistakes }) => mistakes.length === 0)
  return {
    policies: sound.flatMap(({ policy }) => policy ?? []).toSorted(byPlace),
    pictures: sound.flatMap(({ pictures }) => pictures),
    introductions: introductions.flatMap(({ mistakes, introduction }) => (mistakes.length === 0 && introduction) || []),
    mistakes: new Map(wrong.map(({ file, mistakes }) => [file, describeMistakes(nameOf(file), mistakes)])),
  }
}

/** The URL path of a Markdown file's page, without its slash. */
export function pageId(file: string): string {
  return basename(file).replace(MARKDOWN, '')
}

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => MARKDOWN.test(file) && !isLeftByProgram(file))
    .toSorted()
}

function nameOf(file: string): string {
  const name = relative('.', file)
  return name.startsWith('..') ? file : name.replaceAll(sep, '/')
}

function byPlace(one: Policy, other: Policy): number {
  return one.order - other.order || one.title.localeCompare(other.title)
}

async function draft(file: string, name: string, site: Site, now: Date | undefined): Promise<Draft> {
  const id = pageId(file)
  const { text, mistakes } = decodeSource(readFileSync(file))
  const blank = { file, id, policy: null, links: [], pictures: [], headingIds: [] }
  const allMistakes = [...findNameMistakes(name, id, site), ...mistakes]
  if (text === null) return { ...blank, mistakes: allMistakes }

  const { data, mistakes: frontMatterMistakes, lineOf } = readFrontMatter(text, policySchema)
  const body = readBody(text)
  allMistakes.push(...frontMatterMistakes, ...body.mistakes)
  if (data && now && data.updated.getTime() > now.getTime() + EARLIEST_ZONE_MS) {
    allMistakes.push({ line: lineOf('updated'), text: `updated: ${dayOf(data.updated)} lies ahead` })
  }
  const pictures = new Map<string, Picture>()
  for (const { url, line } of body.pictures) {
    const picture = await readPicture(url, file)
    if (typeof picture === 'string') allMistakes.push({ line, text: picture })
    else pictures.set(addressKey(url), picture)
  }
  const { html, headingIds } = await renderMarkdown(text, pictures)
  return {
    file,
    id,
    policy: data && { ...data, id, updated: dayOf(data.updated), html },
    links: body.links,
    pictures: [...pictures.values()],
    headingIds,
    mistakes: allMistakes,
  }
}

function findNameMistakes(name: string, id: string, site: Site): Mistake[] {
  const mistakeOf = (text: string) => [{ line: FIRST_LINE, text }]
  if (/[/\\]/.test(name)) return mistakeOf('a page must lie in src/content/policies itself, not in a folder there')
  if (!PAGE_NAME.test(name)) return mistakeOf('the file name must be lower-case letters, digits and hyphens, then .md')
  if (site.isTaken(`/${id}`))
    return mistakeOf(`the shop has another page at /${id}, which hides this one: rename the file`)
  return []
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
