import * as z from 'zod'
import { FOOTER_PLACES } from '#contract/policies.ts'

const LAST = 1000

/** The front matter of a policy page. Without footer settings, the page is listed last under 'Help'. */
export const policySchema = z.strictObject({
  title: z
    .string({ error: 'title is required' })
    .trim()
    .min(1, 'title is required')
    .max(80, 'title must be at most 80 characters'),
  description: z
    .string({ error: 'description is required' })
    .trim()
    .min(1, 'description is required')
    .max(200, 'description must be at most 200 characters'),
  updated: z.date({ error: 'updated must be a date such as 2025-06-30' }),
  footer: z.enum(FOOTER_PLACES, { error: 'must be about, help or none' }).default('help'),
  order: z.int({ error: 'must be a whole number' }).min(0, 'must not be negative').default(LAST),
})
