import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Readable } from 'node:stream'
import type { S3Config } from './config.ts'
import type { Part, Place } from './place.ts'

const CONNECT_MS = 2000
const IDLE_MS = 15_000
/** The caller logs errors. */
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Files in a bucket of S3 or of a compatible service. */
export function openBucket({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Config): Place {
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    // Other services do not support checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    // New buckets have no ACLs and are private.
    driver: new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }),
    async read(key: string, part: Part | null): Promise<Readable | null> {
      const range = part && { Range: `bytes=${part.start}-${part.end}` }
      const found = await client
        .send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }))
        .catch((error: unknown) => {
          if (error instanceof NoSuchKey) return null
          throw error
        })
      return (found?.Body as Readable | undefined) ?? null
    },
  }
}

function nothing(): void {}
