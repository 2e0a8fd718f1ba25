/**
 * The script that is inline in the head of every page, before the page's own: it sets the font and converts prices
 * before the first paint, marks islands without code, holds early clicks, and starts the page's script.
 * `scripts/storefront.ts` bundles it.
 */
import { holdClicks } from './clicks.ts'
import { useCachedFont } from './font.ts'
import { markMissingIslands } from './islands.ts'
import { startLate } from './late-start.ts'
import { convertWhileParsing } from './prices.ts'

useCachedFont()
convertWhileParsing()
markMissingIslands()
holdClicks()
startLate()
