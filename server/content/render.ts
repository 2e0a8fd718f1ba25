import { satteriHeadingIdsPlugin, type SatteriAstroData } from '@astrojs/markdown-satteri'
import { defineHastPlugin, markdownToHtml } from 'satteri'
import type { Picture } from './pictures.ts'

const SIZES = '(min-width: 45rem) 40rem, 92vw'

/**
 * Renders Markdown as Astro does, with its parser and its ids of headings. `pictures` are found by the address in the
 * Markdown; raw HTML is not checked here.
 */
export async function renderMarkdown(
  markdown: string,
  pictures: ReadonlyMap<string, Picture>,
): Promise<{ html: string; headingIds: string[] }> {
  const astro: SatteriAstroData = {
    frontmatter: {},
    headings: [],
    localImagePaths: new Set(),
    remoteImagePaths: new Set(),
  }
  const { html } = await markdownToHtml(markdown, {
    // HTML that an editor left open is closed, so that the page around it stays whole.
    features: { smartPunctuation: true, rawHtml: true },
    hastPlugins: [dropComments, scrollTables, showPictures(pictures), satteriHeadingIdsPlugin()],
    data: { astro },
  })
  return { html, headingIds: astro.headings.map(({ slug }) => slug) }
}

const dropComments = defineHastPlugin({
  name: 'drop-comments',
  comment: (node, context) => context.removeNode(node),
})

/** A table that is wider than a phone scrolls, with the keyboard too. */
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

/** The same for an address as it is written and as the renderer escapes it. */
export function addressKey(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
