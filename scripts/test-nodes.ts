import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startS3 } from '#tests/support/fakes/s3.ts'
import { freePort } from '#tests/support/ports.ts'
import { startNginx } from '#tests/support/processes/nginx.ts'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'
import { OWN } from '#tests/support/provider/shop.ts'
import { NODE, ROOT, run } from './run.mjs'

const PLAYWRIGHT = join(ROOT, 'node_modules/playwright/cli.js')
const BETWEEN_MS = 15_000
/** How nginx reports a request that it could not pass on. Clients that disconnect do not count as failures. */
const FAILED = /upstream prematurely closed|reset by peer\) while|no live upstreams|timed out/

/** The parts of `deploy/compose.yaml`: PostgreSQL, a bucket, two processes of the shop, and nginx. */
const cluster = await startPostgres({ fsync: true })
const bucket = await startS3()
const folder = await mkdtemp(join(tmpdir(), 'piazza-nodes-'))
await mkdir(join(folder, 'media'))
const ports = [await freePort(), await freePort()]
const nginx = await startNginx(ports)
const { s3 } = bucket
const environment = {
  ...OWN,
  DATABASE_URL: await createDatabase(cluster.url),
  MEDIA_DIR: join(folder, 'media'),
  PUBLIC_URL: nginx.url,
  TRUSTED_PROXIES: '1',
  DRAIN_SECONDS: '2',
  PAYMENT_PROVIDER: 'sandbox',
  S3_BUCKET: s3.bucket,
  S3_REGION: s3.region,
  S3_ENDPOINT: s3.endpoint!,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
}
const start = (at: number) => startShopProcess({ ...environment, DATA_DIR: join(folder, String(at)) }, ports[at]!)
const processes = [await start(0), await start(1)]

const over = new AbortController()
let restartCount = 0

/** Restarts one process after the other, as an update does. */
async function restartInTurn(): Promise<void> {
  for (let at = 0; ; at = (at + 1) % processes.length) {
    await sleep(BETWEEN_MS, undefined, { signal: over.signal }).catch(() => undefined)
    if (over.signal.aborted) return
    const ending = processes[at]!
    const code = await ending.terminate()
    if (code !== 0) throw new Error(`A process ended with ${code}:\n${ending.log()}`)
    processes[at] = await start(at)
    restartCount += 1
  }
}

const restarting = restartInTurn().catch((error: unknown) => error)
const env = { ...process.env, BASE_URL: nginx.url }
process.exitCode = await run(NODE, [PLAYWRIGHT, 'test', ...process.argv.slice(2)], { env })
over.abort()
const failure = await restarting
if (failure) {
  console.error(failure)
  process.exitCode ||= 1
}
const failed = nginx
  .errors()
  .split('\n')
  .filter(line => FAILED.test(line))
console.log(`${restartCount} restarts under the tests; nginx could not pass on ${failed.length} requests`)
if (failed.length > 0) {
  console.log(failed.join('\n'))
  process.exitCode ||= 1
}
await Promise.all(processes.map(each => each.kill()))
await nginx.close()
await bucket.close()
await cluster.stop()
await rm(folder, { recursive: true, force: true })
