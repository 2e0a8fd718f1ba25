/**
 * A script for the body of a page: the browser lays out what has come of it so far. `astro.config.mjs` puts its hash
 * into the Content-Security-Policy.
 */
export const LAYOUT_STEP = 'document.body.offsetHeight'
