import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { databaseIdOf } from '#server/db/database-id.ts'
import { movePictures } from '#server/media/move.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import type { S3Config } from '#server/platform/s3-config.ts'
import { openBucketFiles } from '#server/uploads/file-store.ts'
import { moveFiles } from '#server/uploads/move.ts'
import type { AppContext, Handlers } from './app-context.ts'
import type { SendCommand } from './command.ts'
import { UnconfirmedError } from './confirm.ts'
import { many } from './describe.ts'
import { createProgress } from './progress.ts'
import { say } from './say.ts'

/** Adds the commands for stored pictures and files. */
export function addMediaCommands(market: Command, sendCommand: SendCommand): void {
  const media = market.command('media').description('Look after the stored pictures and files')
  media
    .command('move')
    .summary('Copy the pictures and files of the folder into the bucket')
    .description(
      'Copy the pictures, and the files that customers sent, from the folder into the bucket (S3_…), also while the shop is open. Skips what the bucket has: after an interruption, run it again',
    )
    .option('--delete', 'Also remove each from the folder once the bucket has it')
    .action(options => sendCommand({ name: 'media move', isRemoving: options.delete ?? false }))
  media
    .command('claim')
    .summary('Let this shop remove unused files from the bucket, after a restore')
    .description(
      'Make the bucket (S3_…) belong to this shop’s database, after a restore: from then on, files of customers that this database does not use are removed from the bucket once a day',
    )
    .option('--yes', 'Without asking')
    .action(({ yes: isConfirmed = false }) => sendCommand({ name: 'media claim', isConfirmed }))
}

/** Handlers of the commands for stored pictures and files. */
export const mediaHandlers = {
  async 'media claim'({ isConfirmed }, { config, database }, terminal) {
    const s3 = requireBucket(config)
    if (!isConfirmed)
      throw new UnconfirmedError(
        `Files in ${s3.bucket} that no message, return or review of this shop uses will be removed, also those of another shop.`,
      )
    await (await openBucketFiles(s3)).claim(await databaseIdOf(database.db))
    await recordAudit(database.db, { event: 'bucket_claimed', outcome: 'ok', details: { bucket: s3.bucket } })
    return say(terminal, `The bucket ${s3.bucket} belongs to this shop: unused files are removed from it once a day`)
  },

  async 'media move'({ isRemoving }, { config }, terminal) {
    const { dataDir } = config
    const s3 = requireBucket(config)
    const progress = createProgress(terminal)
    const { signal } = terminal
    const onProgress = (one: string) => (count: number) => progress.show(`${many(count, one)} so far`)
    const options = { s3, isRemoving, signal }
    try {
      const pictures = await movePictures({
        ...options,
        folder: join(dataDir, 'media'),
        onProgress: onProgress('picture'),
      })
      const files = await moveFiles({ ...options, folder: join(dataDir, 'uploads'), onProgress: onProgress('file') })
      const { pictureCount, damaged } = pictures
      for (const place of damaged) progress.tell(`The original is missing or damaged: ${place}`)
      progress.clear()
      await progress.end()
      const copied = many(pictures.copiedCount + files.copiedCount, 'file')
      const bytes = many(pictures.copiedBytes + files.copiedBytes, 'byte')
      await say(
        terminal,
        `${many(pictureCount - damaged.length, 'picture')} and ${many(files.fileCount, 'file')} of customers are in the bucket ${s3.bucket}: copied ${copied} (${bytes})${isRemoving ? ', and removed from the folder' : ''}`,
      )
      return damaged.length > 0 ? 1 : 0
    } finally {
      progress.clear()
      await progress.end()
    }
  },
} satisfies Partial<Handlers>

function requireBucket({ s3 }: AppContext['config']): S3Config {
  if (!s3) throw new InvalidInputError('There is no bucket: set S3_… and restart the shop')
  return s3
}
