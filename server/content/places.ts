import { join } from 'node:path'

/** Where the process serves the pictures of policy pages. */
export const PICTURES = '/content/'

/** Where published pages lie: beside the build, so that a new build leaves them alone. */
export function placesOf(distDir: string) {
  const folder = `${distDir}-content`
  return { folder, list: join(folder, 'pages.json'), files: join(folder, 'client', PICTURES) }
}
