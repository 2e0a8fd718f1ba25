import type { Category } from '#contract/catalogue.ts'
import { MENU_CATEGORIES } from '../constants.ts'

/** The categories that every page shows, by name: those with the most products if there are too many. */
export function menuCategories(categories: Category[]): Category[] {
  if (categories.length <= MENU_CATEGORIES) return categories
  const byCount = categories.toSorted((one, other) => (other.productCount ?? 0) - (one.productCount ?? 0))
  const largest = new Set(byCount.slice(0, MENU_CATEGORIES))
  return categories.filter(category => largest.has(category))
}
