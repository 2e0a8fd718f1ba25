import * as z from 'zod'

/** The front matter of a policy page; `npm run check:content` and the build refuse a file that does not fit. */
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
})
