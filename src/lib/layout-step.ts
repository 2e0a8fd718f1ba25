/**
 * Inline script for the middle of a page: makes the browser lay out what has arrived so far. `astro.config.mjs` adds
 * its hash to the Content-Security-Policy.
 */
export const LAYOUT_STEP = 'document.body.offsetHeight'
