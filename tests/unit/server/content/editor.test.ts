import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { policySchema } from '#server/content/policy-schema.ts'
import editor from '../../../../editor/keystatic.config.ts'

const POLICIES = 'src/content/policies'

test('the visual editor has all front matter fields of the schema', () => {
  const { body, ...frontMatter } = editor.collections.policies.schema

  expect(Object.keys(frontMatter).toSorted()).toEqual(Object.keys(policySchema.shape).toSorted())
  expect(body).toBeDefined()
})

test('the visual editor can open every policy page: none has HTML, braces or footnotes', async () => {
  const names = (await readdir(POLICIES)).filter(name => name.endsWith('.md'))
  const texts = await Promise.all(names.map(name => readFile(join(POLICIES, name), 'utf8')))

  expect(names).not.toEqual([])
  for (const text of texts) expect(text).not.toMatch(/[<{]|\[\^/)
})
