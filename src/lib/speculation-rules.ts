const NOT_PAGES = ['/api/*', '/media/*', '/files/*', '/_astro/*', '/internal/*']
/** They ask the provider anew for each address, or answer with another address. */
const NOT_AHEAD = ['/order/*', '/payment*', '/resetpassword*', '/confirm-email*']

/**
 * Lets a browser fetch the page behind a link that the pointer rests on or touches, so that the click finds it there:
 * the rules of https://wicg.github.io/nav-speculation/speculation-rules.html. `astro.config.mjs` puts their
 * hash into the Content-Security-Policy.
 */
export const SPECULATION_RULES = {
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
