import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { picturesOf, readContent } from '#server/operators/demo/content.ts'
import { addPictures } from '#server/operators/demo/pictures.ts'
import { openMedia } from '#server/media/store.ts'
import { type RunningShop, startShop } from './shop.ts'
import { layInto } from './snapshot.ts'

/** A demo shop whose database starts from `snapshot`. */
export async function startDemoShop(snapshot: string): Promise<RunningShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-demo-'))
  await layInto(join(dataDir, 'db'), snapshot)
  // Add the pictures beforehand: a shop resizes new pictures in the background for minutes, but these only on request.
  const media = openMedia({ folder: join(dataDir, 'media'), background: false })
  await addPictures(media, picturesOf(await readContent()))
  await media.close()
  return startShop({}, { dataDir })
}
