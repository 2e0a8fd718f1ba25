import { join } from 'node:path'

/** The URL path of policy pages' pictures. */
export const PICTURES = '/content/'

/** The files of the published pages: beside the build, so that a new build does not replace them. */
export function contentPaths(distDir: string) {
  const folder = `${distDir}-content`
  return {
    folder,
    list: join(folder, 'pages.json'),
    files: join(folder, 'client', PICTURES),
    /** The path of the folder whose pages are published; missing for those of the checkout. */
    origin: join(folder, '.from'),
  }
}
