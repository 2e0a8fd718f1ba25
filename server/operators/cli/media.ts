import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { movePictures } from '#server/media/move.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import type { Handlers } from './app-context.ts'
import type { SendCommand } from './command.ts'
import { many } from './describe.ts'
import { createProgress } from './progress.ts'
import { say } from './say.ts'

/** Adds the commands for stored pictures. */
export function addMediaCommands(market: Command, sendCommand: SendCommand): void {
  market
    .command('media')
    .description('Look after the stored pictures')
    .command('move')
    .summary('Copy the pictures of the folder into the bucket')
    .description(
      'Copy the pictures of the folder into the bucket (S3_…), also while the shop is open. Skips what the bucket has: after an interruption, run it again',
    )
    .option('--delete', 'Also remove each picture from the folder once the bucket has it')
    .action(options => sendCommand({ name: 'media move', isRemoving: options.delete ?? false }))
}

/** Handlers of the commands for stored pictures. */
export const mediaHandlers = {
  async 'media move'({ isRemoving }, { config }, terminal) {
    const { s3, dataDir } = config
    if (!s3) throw new InvalidInputError('There is no bucket: set S3_… and restart the shop')
    const progress = createProgress(terminal)
    const onProgress = (count: number) => progress.show(`${many(count, 'picture')} so far`)
    const { signal } = terminal
    try {
      const moved = await movePictures({ folder: join(dataDir, 'media'), s3, isRemoving, signal, onProgress })
      const { pictureCount, copiedCount, copiedBytes, damaged } = moved
      for (const place of damaged) progress.tell(`The original is missing or damaged: ${place}`)
      progress.clear()
      await progress.end()
      await say(
        terminal,
        `${many(pictureCount - damaged.length, 'picture is', 'pictures are')} in the bucket ${s3.bucket}: copied ${many(copiedCount, 'file')} (${many(copiedBytes, 'byte')})${isRemoving ? ', and removed from the folder' : ''}`,
      )
      return damaged.length > 0 ? 1 : 0
    } finally {
      progress.clear()
      await progress.end()
    }
  },
} satisfies Partial<Handlers>
