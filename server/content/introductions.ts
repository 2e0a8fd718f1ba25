import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Introduction } from '#contract/policies.ts'
import { CATEGORY_LENGTH } from '#contract/rules.ts'
import { readBody } from './body.ts'
import type { Mistake } from './mistake.ts'
import { readFrontMatter } from './front-matter.ts'
import { renderMarkdown } from './render.ts'
import { decodeSource, isLeftByProgram } from './source.ts'

/** The front matter of a category's introduction. */
const introductionSchema = z.strictObject({
  category: z
    .string({ error: 'category is required' })
    .trim()
    .min(1, 'category is required')
    .max(CATEGORY_LENGTH, `category must be at most ${CATEGORY_LENGTH} characters`),
  summary: z
    .string({ error: 'summary is required' })
    .trim()
    .min(1, 'summary is required')
    .max(120, 'summary must be at most 120 characters'),
})

export interface IntroductionDraft {
  file: string
  introduction: Introduction | null
  links: { url: string; line: number }[]
  mistakes: Mistake[]
}

/** Reads the introductions in a folder, which may be missing. Does not check where links lead. */
export async function draftIntroductions(folder: string): Promise<IntroductionDraft[]> {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.md') && !isLeftByProgram(name))
    .toSorted()
  const fileOf = new Map<string, string>()
  const drafts: IntroductionDraft[] = []
  for (const name of names) {
    const draft = await draftIntroduction(join(folder, name))
    const { category } = draft.introduction ?? {}
    const other = category && fileOf.get(category)
    if (other) draft.mistakes.push({ line: 1, text: `${category} has another introduction, in ${other}` })
    if (category) fileOf.set(category, name)
    drafts.push(draft)
  }
  return drafts
}

async function draftIntroduction(file: string): Promise<IntroductionDraft> {
  const { text, mistakes } = decodeSource(readFileSync(file))
  if (text === null) return { file, introduction: null, links: [], mistakes }
  const { data, mistakes: frontMatterMistakes } = readFrontMatter(text, introductionSchema)
  const body = readBody(text)
  const pictureMistakes = body.pictures.map(({ line }) => ({ line, text: 'an introduction has no pictures' }))
  const { html } = await renderMarkdown(text, new Map(), { isPartOfPage: true })
  return {
    file,
    introduction: data && { ...data, html },
    links: body.links,
    mistakes: [...mistakes, ...frontMatterMistakes, ...body.mistakes, ...pictureMistakes],
  }
}
