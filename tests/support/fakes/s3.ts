import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { S3Config } from '#server/platform/s3-config.ts'

const BUCKET = 'piazza-files'
/** The credentials that s3rver accepts. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Starts an S3-compatible server on 127.0.0.1 with an empty bucket. */
export async function startS3(): Promise<{ s3: S3Config; close: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'piazza-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
    // It computes the signature for the bucket's URL without the trailing slash.
    allowMismatchedSignatures: true,
  })
  const { port } = await server.run()
  return {
    s3: { bucket: BUCKET, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, ...CREDENTIALS },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
