import { readFile } from 'node:fs/promises'
import { circuitBreaker, ConsecutiveBreaker, handleAll, isBrokenCircuitError } from 'cockatiel'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { breakerCooldown } from '../platform/breaker-cooldown.ts'
import { UnavailableError } from '../platform/errors.ts'
import { atFirstUse } from '../platform/first-use.ts'
import type { S3Config } from '../platform/s3-config.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { sumBy } from '../platform/sum.ts'
import type { Bucket } from './bucket.ts'
import { openDiskCache } from './disk-cache.ts'
import { absent } from './files.ts'
import { type FileOnDisk, HASH, type ListedPicture, ORIGINAL, type PictureStorage } from './storage.ts'

const CACHE_BYTES = 1024 ** 3
const FETCHES = 16
const MAX_WAITING = 200
const MAX_FAILURES = 5
const COOLDOWN_MS = 5000

interface BucketFile {
  name: string
  bytes: number
  changedAt: Date
}

interface Options {
  s3: S3Config
  /** Folder of this process for copies of what it serves. */
  cacheFolder: string
  cacheBytes?: number | undefined
  log: Pick<Logger, 'warn'> | undefined
}

/**
 * Pictures in a bucket, with copies of the files used last on this machine's disk. Throws an `UnavailableError` when
 * the bucket cannot be reached: after five failures in a row, at once for five seconds.
 */
export function openBucketStorage({ s3, cacheFolder, cacheBytes = CACHE_BYTES, log }: Options) {
  const cache = openDiskCache({ folder: cacheFolder, maxBytes: cacheBytes })
  cache.counted.catch(warnOfCache)
  const openOnce = atFirstUse(async () => (await import('./bucket.ts')).openBucket(s3))
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: breakerCooldown(COOLDOWN_MS),
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  })
  const limit = pLimit(FETCHES)
  const fetching = singleFlight<FileOnDisk | null>()

  function warnOfCache(error: unknown): void {
    log?.warn({ err: error }, 'The cache of pictures cannot be used')
  }

  function unavailable(error: unknown): UnavailableError {
    if (!isBrokenCircuitError(error)) log?.warn({ err: error }, 'The bucket of pictures failed')
    return new UnavailableError('Pictures cannot be reached right now')
  }

  async function askBucket<Result>(work: (bucket: Bucket) => Promise<Result>): Promise<Result> {
    if (limit.pendingCount >= MAX_WAITING) throw new UnavailableError('Too many pictures are being fetched')
    return limit(() => breaker.execute(async () => work(await openOnce()))).catch((error: unknown) => {
      throw unavailable(error)
    })
  }

  async function cacheFile(hash: string, name: string, bytes: Buffer): Promise<FileOnDisk> {
    return cache.write(hash, name, bytes).catch((error: unknown) => {
      warnOfCache(error)
      throw new UnavailableError('There is no room for pictures right now')
    })
  }

  async function fetchFile(hash: string, name: string): Promise<FileOnDisk | null> {
    const bytes = await askBucket(bucket => bucket.get(hash, name))
    return bytes && cacheFile(hash, name, bytes)
  }

  const storage: PictureStorage = {
    has: hash => askBucket(bucket => bucket.has(hash, ORIGINAL)),

    async find(hash, name) {
      return (await cache.find(hash, name)) ?? fetching.share(`${hash}/${name}`, () => fetchFile(hash, name))
    },

    async read(hash, name) {
      const file = await storage.find(hash, name)
      // The cache may have removed the file since.
      return file && ((await readFile(file.path).catch(absent)) ?? askBucket(bucket => bucket.get(hash, name)))
    },

    async write(hash, name, bytes) {
      await askBucket(bucket => bucket.put(hash, name, bytes))
      await cacheFile(hash, name, bytes)
    },

    async *list(beginning) {
      const bucket = await openOnce()
      let files: BucketFile[] = []
      let last = ''
      for await (const { hash, ...file } of bucket.list(beginning)) {
        if (hash !== last && HASH.test(last)) yield describe(bucket, last, files)
        if (hash !== last) [last, files] = [hash, []]
        files.push(file)
      }
      if (HASH.test(last)) yield describe(bucket, last, files)
    },
  }

  return {
    ...storage,
    async close(): Promise<void> {
      await fetching.settled()
      await cache.counted.catch(() => undefined)
    },
  }
}

function describe(bucket: Bucket, hash: string, files: BucketFile[]): ListedPicture {
  return {
    hash,
    hasOriginal: files.some(({ name }) => name === ORIGINAL),
    measure: () =>
      Promise.resolve({
        path: bucket.addressOf(hash),
        bytes: sumBy(files, file => file.bytes),
        changedAt: new Date(Math.max(...files.map(({ changedAt }) => changedAt.getTime()))),
      }),
  }
}
