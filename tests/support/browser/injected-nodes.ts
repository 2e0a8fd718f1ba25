import type { Locator } from 'playwright/test'

const ICONS = 'svg, path, circle, ellipse, line, polygon, polyline, rect'

/** The elements inside `place` that are neither icons nor match `expected`, a list of selectors. */
export function foreignElements(place: Locator, expected: string): Locator {
  return place.locator(`:not(${expected}, ${ICONS})`)
}

/**
 * The elements that only a text of `xss.ts` can have injected into the page, or into `html` if given. Runs inside a
 * page, so it can use nothing outside its own body.
 */
export function injectedNodes(html: string | null): string[] {
  const root = html === null ? document : new DOMParser().parseFromString(html, 'text/html')
  const elements =
    'iframe, object, embed, base, math, marquee, maction, audio, svg script, svg a, svg animate, [srcdoc], [formaction]'
  const addresses = ['href', 'src', 'action', 'data', 'poster', 'component-url', 'xlink:href']
  const acts = ({ name, value }: Attr) =>
    name.startsWith('on') ||
    (addresses.includes(name) && /^(javascript|data:text)/i.test(value.replace(/[\0-\x20]/g, ''))) ||
    (name === 'style' && value.includes('javascript:'))
  const isInjected = (element: Element) => {
    const text = element.textContent ?? ''
    if (element.matches(elements) || [...element.attributes].some(acts)) return true
    if (element.matches('script:not([type="application/ld+json"])')) return text.includes('alert(1)')
    if (element.matches('style')) return /javascript:|body\{display:none\}/.test(text)
    return element.matches('meta[http-equiv="refresh"]')
  }
  return [...root.querySelectorAll('*')].filter(isInjected).map(({ outerHTML }) => outerHTML.slice(0, 200))
}
