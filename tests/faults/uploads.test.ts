import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { createApi } from '#lib/create-api.ts'
import { hostileFiles } from '#tests/support/uploads/chat-files.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { addTime, FAILED_MS, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { filesIn, formStart, sendForm, sendPieces } from '#tests/support/uploads/uploading.ts'

const PROGRAM = join(import.meta.dirname, '../support/processes/serve-provider.ts')
const ASKING = join(import.meta.dirname, '../support/faults/time-answers.ts')
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')
const MAX_CORPUS_MB = 64
const MAX_FLOOD_MB = 150
const SAMPLE_MS = 20

const dataDir = await mkdtemp(join(tmpdir(), 'piazza-uploads-'))
const limits = ['upload', 'uploadBytes', 'uploadBytesPerIp', 'api'].map(name => `${name}=100000000/1m`).join(',')
const child = fork(PROGRAM, {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    DEMO: 'off',
    DATABASE_URL: '',
    PROVIDER_URL: '',
    PUBLIC_URL: '',
    LIMITS: limits,
  },
  execArgv: ['--max-old-space-size=256'],
})
const [port] = (await once(child, 'message')) as [number]
const url = `http://127.0.0.1:${port}`
let token = ''
let fields = { userId: '', sellerId: 'nobody' }

beforeAll(async () => {
  token = await registerCustomer()
  const { id } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { id: string }
  fields = { ...fields, userId: id }
  // Warms up first, so that loaded code and heap growth do not count as upload costs.
  for (let round = 0; round < 3; round += 1) await sendCorpus()
})

afterAll(async () => {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
  await rm(dataDir, { recursive: true })
})

/** Returns the customer's token. */
async function registerCustomer(): Promise<string> {
  const api = createApi({ origin: url, fetch: request => fetch(request) })
  return (await api.register(newcomer())).token
}

/** Returns how long each rejection took. */
async function sendCorpus(): Promise<number[]> {
  const times: number[] = []
  for (const [, file] of await hostileFiles()) {
    const { status } = await addTime(times, () => sendForm(url, token, fields, [file]))
    expect([400, 422]).toContain(status)
  }
  return times
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** The most megabytes the process grew during `work`, and the health check’s response times. */
async function watch(work: () => Promise<unknown>): Promise<{ grownMb: number; healthTimes: number[] }> {
  const before = await residentMb()
  let highest = before
  const healthTimes: number[] = []
  const sampling = setInterval(() => void residentMb().then(now => (highest = Math.max(highest, now))), SAMPLE_MS)
  const asking = fork(ASKING, [`${url}/api${getHealth.path}`]).on('message', time => healthTimes.push(time as number))
  await work().finally(() => asking.kill())
  clearInterval(sampling)
  return { grownMb: Math.round(highest - before), healthTimes }
}

test(`hostile files are rejected within ${MAX_CORPUS_MB} MB of memory`, async () => {
  let times: number[] = []
  const { grownMb } = await watch(async () => void (times = await sendCorpus()))
  printFigure('hostile files refused', `${spreadOf(times, 100)}, ${grownMb} MB`, '2000 ms')

  expect(grownMb).toBeLessThan(MAX_CORPUS_MB)
  expect(await filesIn(join(dataDir, 'uploads'))).toEqual([])
})

test('ten uploads of 100 MB at once are rejected with 413 without blocking the health check', async () => {
  // One customer may send three at once.
  const tokens = await Promise.all(Array.from({ length: 10 }, registerCustomer))
  const send = (token: string) => {
    const pieces = [formStart(fields, 'filename="a.txt"'), ...Array.from({ length: 100 }, () => MEGABYTE)]
    return sendPieces(url, { authorization: `Bearer ${token}` }, pieces)
  }
  const { grownMb, healthTimes } = await watch(async () => {
    const answers = await Promise.all(tokens.map(send))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(413))
  })
  printFigure('health beside ten uploads of 100 MB', `${spreadOf(healthTimes, 99)}, ${grownMb} MB`, '200 ms')

  expect(grownMb).toBeLessThan(MAX_FLOOD_MB)
  expect(healthTimes).not.toContain(FAILED_MS)
  expect(await filesIn(join(dataDir, 'uploads'))).toEqual([])
})
