const NOT_PAGES = ['/api/*', '/media/*', '/files/*', '/_astro/*', '/internal/*']
/** These pages call the provider for each request or redirect, so they must not be prefetched. */
const NOT_AHEAD = ['/order/*', '/payment*', '/resetpassword*', '/confirm-email*', '/end-alerts*', '/track-order*']

/** The two products at the head of 'More from the shop'. */
const MORE_FROM_SHOP = '[aria-labelledby=more-from-shop] li:nth-child(-n+2) a'

/**
 * Lets the browser prefetch the page behind a link while the pointer rests on it or touches it, and prepare a product's
 * page completely: its script starts once the page is shown (`early/late-start.ts`). On phones no pointer rests on a
 * link: Chromium there prepares `eager` links that are in view, at most two at a time. Browsers do none of this for
 * shoppers who save data or power. Format: https://wicg.github.io/nav-speculation/speculation-rules.html.
 * `astro.config.mjs` adds the rules' hash to the Content-Security-Policy.
 */
export const SPECULATION_RULES = {
  prerender: [
    { where: { href_matches: '/product/details/*' }, eagerness: 'moderate' },
    { where: { selector_matches: MORE_FROM_SHOP }, eagerness: 'eager' },
  ],
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          { not: { href_matches: [...NOT_PAGES, ...NOT_AHEAD] } },
          { not: { selector_matches: '[download], [target=_blank]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
}
