import * as z from 'zod/mini'

/** Where the footer lists a page. */
export const FOOTER_PLACES = ['about', 'help', 'none'] as const

/** A page that editors write in Markdown, as the storefront shows it. */
export const Policy = z.object({
  /** The page's address without its slash. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** The day of the last change, as 2025-12-31. */
  updated: z.iso.date(),
  footer: z.enum(FOOTER_PLACES),
  /** Lower numbers come first in the footer. */
  order: z.number(),
  html: z.string(),
})
export type Policy = z.infer<typeof Policy>
