import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { picturesOf, readContent } from '#server/operators/demo/content.ts'
import { addPictures } from '#server/operators/demo/pictures.ts'
import { openMedia } from '#server/media/store.ts'
import { type Shop, startShop } from './shop.ts'
import { layInto } from './snapshot.ts'

/** A shop with the demo, whose database begins with `snapshot`. */
export async function startDemoShop(snapshot: string): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-demo-'))
  await layInto(join(dataDir, 'db'), snapshot)
  // A shop makes its new pictures small ahead, for minutes: here they are not new, and browsers ask for those that they show.
  const media = openMedia({ folder: join(dataDir, 'media'), background: false })
  await addPictures(media, picturesOf(await readContent()))
  await media.close()
  return startShop({}, { dataDir })
}
