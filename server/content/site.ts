import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The targets that Markdown may link to besides the policy pages. */
export interface Site {
  hasPage(path: string): boolean
  hasFile(path: string): boolean
}

const POLICIES = '[policy]'
/** Paths that the server handles before any page. */
const NO_PAGES = /^\/(api|media)(\/|$)/

/** Reads the storefront's routes and public files. */
export function readSite(): Site {
  const routes = filesIn('src/pages')
    .map(file => file.replace(/\.\w+$/, ''))
    .filter(route => route !== POLICIES)
    .map(routePattern)
  const files = new Set(filesIn('public').map(file => `/${file}`))
  return {
    hasPage: path => NO_PAGES.test(path) || routes.some(route => route.test(path)),
    hasFile: path => files.has(path),
  }
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
