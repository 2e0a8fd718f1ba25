import { createDemo } from '#server/operators/demo/seed.ts'
import { picture } from '../catalogue/catalogue.ts'
import { startProvider } from './provider.ts'

/**
 * Starts an empty shop to which `demo` adds the demo marketplace. `demoMedia` gives its pictures hashes, and stores
 * none of them.
 */
export async function startDemo() {
  const provider = await startProvider()
  const media = { add: (bytes: Buffer) => Promise.resolve(picture(bytes.toString('base64')).hash) }
  return { ...provider, demoMedia: media, demo: createDemo({ ...provider, media }) }
}
