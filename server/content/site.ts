import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The storefront's addresses besides the policy pages. */
export interface Site {
  /** Whether a policy page could not be shown at the path. */
  isTaken(path: string): boolean
  /** Whether Markdown may link to the path. */
  canLinkTo(path: string): boolean
}

const POLICIES = '[policy]'
/** Paths that the server handles before any page. */
const NO_PAGES = /^\/(api|media)(\/|$)/
/** Pages that are shown in place of others. Their own addresses are 404. */
const ERROR_PAGES = /^\/(404|500|503)$/

/** Reads the storefront's routes and public files. */
export function readSite(): Site {
  const routes = filesIn('src/pages')
    .map(file => file.replace(/\.\w+$/, ''))
    .filter(route => route !== POLICIES)
    .map(routePattern)
  const files = new Set(filesIn('public').map(file => `/${file}`))
  const isTaken = (path: string) => NO_PAGES.test(path) || routes.some(route => route.test(path))
  const isShown = (path: string) => isTaken(path) && !NO_PAGES.test(path) && !ERROR_PAGES.test(path)
  return { isTaken, canLinkTo: path => isShown(path) || files.has(path) }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
}

/** Converts a route such as `product/details/[slug]` to a pattern for paths. */
function routePattern(route: string): RegExp {
  const steps = route
    .replace(/(^|\/)index$/, '')
    .split(/(\[\w+\])/)
    .map(step => (step.startsWith('[') ? '[^/]+' : step.replaceAll('.', '\\.')))
  return new RegExp(`^/${steps.join('')}$`)
}
