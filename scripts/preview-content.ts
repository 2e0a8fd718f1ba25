import { join } from 'node:path'
import type { AstroIntegration } from 'astro'
import type { ViteDevServer } from 'vite'
import { compilePolicies, pageId, POLICIES } from '#server/content/compile.ts'
import { makeRendition, type Rendition } from '#server/content/pictures.ts'

/**
 * Serves the current policy pages, introductions and their mistakes to `astro dev`, and reloads the browser when they
 * change.
 */
export function previewContent(folder = POLICIES): AstroIntegration {
  return {
    name: 'piazza-preview-content',
    hooks: { 'astro:server:setup': ({ server }) => servePreview(server, folder) },
  }
}

function servePreview({ middlewares, watcher, ws, config }: ViteDevServer, folder: string): void {
  const pictures = new Map<string, Rendition & { file: string }>()
  const categories = join(folder, '../categories')
  watcher.add([folder, categories])
  watcher.on('all', (_, file) => {
    if (file.startsWith(folder) || file.startsWith(categories)) ws.send({ type: 'full-reload' })
  })
  middlewares.use((request, response, next) => {
    const respond = (type: string, body: string | Buffer) => response.setHeader('content-type', type).end(body)
    const picture = pictures.get(request.url ?? '')
    if (picture) makeRendition(picture.file, picture.width).then(image => respond('image/webp', image), next)
    else if (request.url === '/@content') compile().then(page => respond('application/json', page), next)
    else next()
  })

  let logged = ''
  async function compile(): Promise<string> {
    const compiled = await compilePolicies({ folder, categories, now: new Date() })
    for (const { file, renditions } of compiled.pictures) {
      for (const rendition of renditions) pictures.set(rendition.address, { ...rendition, file })
    }
    const mistakes = [...compiled.mistakes]
    const lines = mistakes.flatMap(([, list]) => list).join('\n')
    // Each page requests this; logs the same mistakes only once.
    if (lines && lines !== logged) config.logger.error(lines)
    logged = lines
    const ofPolicies = mistakes.filter(([file]) => !file.startsWith(categories))
    const ofIntroductions = mistakes.filter(([file]) => file.startsWith(categories)).flatMap(([, list]) => list)
    return JSON.stringify({
      policies: compiled.policies,
      introductions: compiled.introductions,
      policyMistakes: Object.fromEntries(ofPolicies.map(([file, list]) => [pageId(file), list])),
      introductionMistakes: ofIntroductions.length > 0 ? ofIntroductions : undefined,
    })
  }
}
