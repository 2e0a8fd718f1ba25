import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { openS3Client } from '../platform/s3-client.ts'
import type { S3Config } from '../platform/s3-config.ts'

export type Bucket = ReturnType<typeof openBucket>

/** Chat files are beside it, in folders of two characters. Their sweep must not find pictures. */
const PREFIX = 'pictures/'

/** The objects of pictures in a bucket, by the picture's hash and the file's name. */
export function openBucket(s3: S3Config) {
  const Bucket = s3.bucket
  const client = openS3Client(s3)
  const keyOf = (hash: string, name = '') => `${PREFIX}${hash.slice(0, 2)}/${hash.slice(2)}/${name}`

  return {
    /** The address of a picture, for operators. */
    addressOf: (hash: string): string => `s3://${Bucket}/${keyOf(hash)}`,

    async get(hash: string, name: string): Promise<Buffer | null> {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(hash, name) }))
        return await buffer(Body as Readable)
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },

    async has(hash: string, name: string): Promise<boolean> {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(hash, name) }))
        return true
      } catch (error) {
        if (error instanceof NotFound) return false
        throw error
      }
    },

    /** The service compares the checksum, and stores the whole object or nothing. */
    async put(hash: string, name: string, bytes: Buffer): Promise<void> {
      const [, format] = name.split('.')
      const ContentType = format ? `image/${format}` : 'application/octet-stream'
      const ContentMD5 = createHash('md5').update(bytes).digest('base64')
      await client.send(new PutObjectCommand({ Bucket, Key: keyOf(hash, name), Body: bytes, ContentType, ContentMD5 }))
    },

    /** All files of the pictures whose hash has this beginning; those of one picture follow each other. */
    async *list(beginning: string): AsyncGenerator<{ hash: string; name: string; bytes: number; changedAt: Date }> {
      const [start, rest] = [beginning.slice(0, 2), beginning.slice(2)]
      const Prefix = PREFIX + (rest ? `${start}/${rest}` : start)
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          const [first = '', second = '', name = ''] = Key.slice(PREFIX.length).split('/')
          yield { hash: first + second, name, bytes: Size, changedAt: LastModified }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },

    close: (): void => client.destroy(),
  }
}
