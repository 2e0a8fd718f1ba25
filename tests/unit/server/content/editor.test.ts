import { expect, test } from 'vitest'
import { policySchema } from '#server/content/policy-schema.ts'
import editor from '../../../../editor/keystatic.config.ts'

test('the visual editor knows the whole front matter of a page, and nothing that the check would refuse', () => {
  const { body, ...frontMatter } = editor.collections.policies.schema

  expect(Object.keys(frontMatter).toSorted()).toEqual(Object.keys(policySchema.shape).toSorted())
  expect(body).toBeDefined()
})
