import { satteriHeadingIdsPlugin, type SatteriAstroData } from '@astrojs/markdown-satteri'
import { defineHastPlugin, markdownToHtml } from 'satteri'
import type { Picture } from './pictures.ts'

const SIZES = '(min-width: 45rem) 40rem, 92vw'

/**
 * Renders Markdown like Astro, with its parser and heading ids. `pictures` are keyed by their URL in the Markdown
 * (`addressKey`). Does not check raw HTML. With `isPartOfPage`, headings have no ids and stand below an h2.
 */
export async function renderMarkdown(
  markdown: string,
  pictures: ReadonlyMap<string, Picture>,
  { isPartOfPage = false } = {},
): Promise<{ html: string; headingIds: string[] }> {
  const astro: SatteriAstroData = {
    frontmatter: {},
    headings: [],
    localImagePaths: new Set(),
    remoteImagePaths: new Set(),
  }
  const { html } = await markdownToHtml(markdown, {
    // With `rawHtml`, unclosed HTML tags are closed, so that they do not break the page around them.
    features: { smartPunctuation: true, rawHtml: true },
    hastPlugins: [
      dropComments,
      scrollTables,
      showPictures(pictures),
      isPartOfPage ? lowerHeadings : satteriHeadingIdsPlugin(),
    ],
    data: { astro },
  })
  return { html, headingIds: astro.headings.map(({ slug }) => slug) }
}

const dropComments = defineHastPlugin({
  name: 'drop-comments',
  comment: (node, context) => context.removeNode(node),
})

const lowerHeadings = defineHastPlugin({
  name: 'lower-headings',
  element: {
    filter: ['h1', 'h2', 'h4', 'h5', 'h6'],
    visit: (node, context) => context.replaceNode(node, { ...node, tagName: 'h3' }),
  },
})

/** Makes tables that are wider than a phone scrollable, also with the keyboard. */
const scrollTables = defineHastPlugin({
  name: 'scroll-tables',
  element: {
    filter: ['table'],
    visit: (node, context) =>
      context.wrapNode(node, {
        type: 'element',
        tagName: 'div',
        properties: { tabIndex: 0, role: 'group', ariaLabel: 'Table' },
        children: [],
      }),
  },
})

function showPictures(pictures: ReadonlyMap<string, Picture>) {
  return defineHastPlugin({
    name: 'show-pictures',
    element: {
      filter: ['img'],
      visit(node, context) {
        const picture = pictures.get(addressKey(node.properties?.src ?? ''))
        if (!picture) return
        const { width, height, renditions } = picture
        const properties = {
          src: renditions[0]!.address,
          srcSet: renditions.map(rendition => `${rendition.address} ${rendition.width}w`).join(', '),
          sizes: SIZES,
          width,
          height,
          loading: 'lazy',
          decoding: 'async',
        }
        for (const [name, value] of Object.entries(properties)) context.setProperty(node, name, value)
      },
    },
  })
}

/** A key that is the same for a URL as written and as escaped by the renderer. */
export function addressKey(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
