import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from './s3-config.ts'

const CONNECT_MS = 2000
const IDLE_MS = 15_000
/** The caller logs errors. */
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/** A client of S3 or of a compatible service. Import this file when it is needed: it takes half a second. */
export function openS3Client({ region, endpoint, accessKeyId, secretAccessKey }: S3Config): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    // Other services do not support checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function nothing(): void {}
