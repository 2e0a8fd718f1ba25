import { expect, test } from 'vitest'
import { policySchema } from '#server/content/policy-schema.ts'
import editor from '../../../../editor/keystatic.config.ts'

test('the visual editor has all front matter fields of the schema', () => {
  const { body, ...frontMatter } = editor.collections.policies.schema

  expect(Object.keys(frontMatter).toSorted()).toEqual(Object.keys(policySchema.shape).toSorted())
  expect(body).toBeDefined()
})
