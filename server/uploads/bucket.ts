import { GetObjectCommand, ListObjectsV2Command, NoSuchKey } from '@aws-sdk/client-s3'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Readable } from 'node:stream'
import { openS3Client } from '../platform/s3-client.ts'
import type { S3Config } from '../platform/s3-config.ts'
import { type ByteRange, FOLDER, type ListedFile, type StorageDriver } from './storage-driver.ts'

/** Files in a bucket of S3 or of a compatible service. */
export function openBucket(s3: S3Config): StorageDriver {
  const { bucket } = s3
  const client = openS3Client(s3)

  async function* listPages(Prefix: string) {
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix, Delimiter: '/', ContinuationToken }),
      )
      yield page
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
  }

  return {
    // New buckets have no ACLs and are private.
    driver: new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }),
    async read(key: string, part: ByteRange | null): Promise<Readable | null> {
      const range = part && { Range: `bytes=${part.start}-${part.end}` }
      const found = await client
        .send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }))
        .catch((error: unknown) => {
          if (error instanceof NoSuchKey) return null
          throw error
        })
      return (found?.Body as Readable | undefined) ?? null
    },
    async *list(): AsyncGenerator<ListedFile> {
      for await (const { CommonPrefixes = [] } of listPages('')) {
        for (const { Prefix = '' } of CommonPrefixes) {
          if (!FOLDER.test(Prefix.slice(0, -1))) continue
          for await (const { Contents = [] } of listPages(Prefix))
            for (const { Key = '', LastModified = new Date() } of Contents) yield { key: Key, cameAt: LastModified }
        }
      }
    },
  }
}
