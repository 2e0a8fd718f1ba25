import { glob } from 'astro/loaders'
import { defineCollection } from 'astro:content'
import { policySchema } from '#content/policy-schema.ts'

const policies = defineCollection({
  loader: glob({ pattern: '*.md', base: './src/content/policies' }),
  schema: policySchema,
})

export const collections = { policies }
