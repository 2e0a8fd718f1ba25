import * as z from 'zod/mini'

/** The footer column that lists a page. */
export const FOOTER_PLACES = ['about', 'help', 'none'] as const

/** A page that editors write in Markdown, rendered to HTML. */
export const Policy = z.object({
  /** The page's path without its leading slash. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** Date of the last change, for example 2025-12-31. */
  updated: z.iso.date(),
  footer: z.enum(FOOTER_PLACES),
  /** Lower numbers come first in the footer. */
  order: z.number(),
  html: z.string(),
})
export type Policy = z.infer<typeof Policy>

/** An editor's introduction to a category: `summary` stands above its products, `html` below them. */
export const Introduction = z.object({ category: z.string(), summary: z.string(), html: z.string() })
export type Introduction = z.infer<typeof Introduction>
