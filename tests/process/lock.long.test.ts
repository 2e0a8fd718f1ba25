import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { socketPath } from '#server/platform/operators-socket.ts'
import { acquireLock } from '#server/platform/lock.ts'
import { describeThisProcess } from '#server/platform/lock-file.ts'
import { rounds } from '#tests/support/rounds.ts'

vi.mock('node:fs', { spy: true })

const HOLD_LOCK = new URL('../support/faults/hold-lock.ts', import.meta.url).pathname
const RACERS = 20
const ROUNDS = rounds(1, 3)
const SILENCE_MS = 15_000
const ELSEWHERE = { boot: 'before the power cut', namespace: 'pid:[1]', host: 'web-1', folder: '1:1' }

let parent: string
let folder: string
let children: ChildProcess[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'piazza-lock-'))
  folder = join(parent, 'data')
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(parent, { recursive: true })
  vi.restoreAllMocks()
})

async function contend(place = folder): Promise<{ child: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [HOLD_LOCK, place], { stdio: 'pipe' })
  children.push(child)
  const [answer] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, answer }
}

async function ended(child: ChildProcess): Promise<{ code: number; said: string }> {
  const [[code], said] = await Promise.all([once(child, 'exit') as Promise<[number]>, textOf(child.stderr!)])
  return { code, said }
}

/** The lock of a process on this machine, with the given changes. */
function lockOf(other: Partial<ReturnType<typeof describeThisProcess>>): string {
  return JSON.stringify({ ...describeThisProcess(folder, 'the shop'), ...other })
}

async function end(child: ChildProcess, how: () => void): Promise<void> {
  const ended = once(child, 'exit')
  how()
  await ended
}

describe('the lock of the data folder', () => {
  test('creates the folder, readable by the owner only', async () => {
    const lock = await acquireLock(folder)

    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    lock.release()
  })

  test('reports a full disk with the folder, and leaves nothing in it', async () => {
    vi.mocked(fs.writeFileSync).mockImplementationOnce(path => {
      fs.closeSync(fs.openSync(path as string, 'w'))
      throw new Error('ENOSPC: no space left on device, write')
    })

    await expect(acquireLock(folder)).rejects.toThrow(`The data folder ${folder} cannot be used: ENOSPC`)
    await expect(readdir(folder)).resolves.toEqual([])
  })

  test('is rejected with the pid of the running owner, and free after release', async () => {
    const lock = await acquireLock(folder)

    await expect(acquireLock(folder)).rejects.toThrow(`pid ${process.pid}`)
    expect((await contend()).answer).toContain(`pid ${process.pid}`)

    lock.release()
    lock.release()
    expect((await contend()).answer).toBe('held')
  })

  test('is removed when its owner exits normally', async () => {
    const { child } = await contend()
    await end(child, () => child.stdin?.end())

    expect(await readdir(folder)).toEqual([])
  })

  test(`has one winner among ${RACERS} after kill -9 of its owner`, async () => {
    let owner = (await contend()).child
    for (let round = 0; round < ROUNDS; round++) {
      await end(owner, () => owner.kill('SIGKILL'))
      const racers = await Promise.all(Array.from({ length: RACERS }, contend))

      const [winner, ...others] = racers.filter(racer => racer.answer === 'held')
      expect(others).toEqual([])
      const refusals = racers.filter(racer => racer.answer.includes(`pid ${winner?.child.pid},`))
      expect(refusals).toHaveLength(RACERS - 1)
      expect(await readdir(folder)).toEqual(['lock'])
      owner = winner!.child
    }
  })

  test('stays with a new owner when a slower process still sees the dead one', async () => {
    await mkdir(folder)
    const path = join(folder, 'lock')
    const winner = lockOf({ pid: process.ppid, started: null })
    const dead = lockOf({ started: '1' })
    fs.writeFileSync(path, dead)
    const { readFileSync: look } = await vi.importActual<typeof fs>('node:fs')
    vi.mocked(fs.readFileSync).mockImplementation((file, options) => {
      const seen = look(file, options)
      if (seen === dead) fs.writeFileSync(path, winner)
      return seen
    })

    await expect(acquireLock(folder)).rejects.toThrow(`pid ${process.ppid}`)

    expect(fs.readFileSync(path, 'utf8')).toBe(winner)
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('is taken over at once when its pid belongs to another process now', async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'lock'), lockOf({ started: '1' }))

    expect((await contend()).answer).toBe('held')
  })

  test('is taken over when it is empty', async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'lock'), '')

    expect((await contend()).answer).toBe('held')
  })

  test('is not removed by an owner that has lost it', async () => {
    const lock = await acquireLock(folder)
    await writeFile(join(folder, 'lock'), 'somebody else')

    lock.release()

    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('ends its owner when another process takes it or somebody removes it', async () => {
    const other = join(parent, 'other')
    const [overwritten, removed] = await Promise.all([contend(), contend(other)])
    const ends = Promise.all([overwritten, removed].map(({ child }) => ended(child)))

    await writeFile(join(folder, 'lock'), lockOf({ ...ELSEWHERE, pid: 7 }))
    await unlink(join(other, 'lock'))

    const last = 'This process ends now, before it writes more.\n'
    expect(await ends).toEqual([
      { code: 1, said: `The lock of ${folder} is no longer ours: pid 7 on web-1 holds it. ${last}` },
      { code: 1, said: `The lock of ${other} is no longer ours: somebody removed it. ${last}` },
    ])
    expect(await readdir(folder)).toEqual(['lock'])
    expect(await readdir(other)).toEqual([])
  })
})

describe('a lock of a process on another machine', () => {
  const path = () => join(folder, 'lock')
  beforeEach(async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    await mkdir(folder)
  })

  test.each(Object.entries(ELSEWHERE))('is respected while it is renewed: another %s', async (place, value) => {
    // No process here has this pid; setting the mtime back renews the lock as well.
    await writeFile(path(), lockOf({ pid: 4_194_303, [place]: value }))
    const renewal = setTimeout(() => void utimes(path(), 1, 1), 1000)

    await expect(acquireLock(folder)).rejects.toThrow(
      /pid 4194303 on host .+, in another container or on another machine, the shop\)\. Stop it there first/,
    )

    clearTimeout(renewal)
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('is respected while its owner stalls for five seconds', async () => {
    const text = lockOf(ELSEWHERE)
    await writeFile(path(), text)
    const renewal = setTimeout(() => void utimes(path(), 1, 1), 5000)

    await expect(acquireLock(folder)).rejects.toThrow('on host web-1')

    clearTimeout(renewal)
    expect(await readFile(path(), 'utf8')).toBe(text)
  })

  test(`is taken over after ${SILENCE_MS / 1000} s without a heartbeat, by one of two`, async () => {
    const start = performance.now()
    await writeFile(path(), lockOf({ ...ELSEWHERE, pid: process.pid }))

    const answers = (await Promise.all([contend(), contend()])).map(({ answer }) => answer)

    expect(performance.now() - start).toBeGreaterThanOrEqual(SILENCE_MS - 10)
    expect(answers.filter(answer => answer === 'held')).toHaveLength(1)
    expect(answers.filter(answer => answer.includes('is in use'))).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('is not considered while a shop listens on the folder: acquiring fails at once', async () => {
    const server = createServer().listen(socketPath(folder))
    await once(server, 'listening')

    await expect(acquireLock(folder)).rejects.toThrow(`in use by another Piazza process, which listens on ${folder}`)
    await writeFile(path(), lockOf({ ...ELSEWHERE, pid: 7 }))
    await expect(acquireLock(folder)).rejects.toThrow('pid 7 on host web-1')

    await new Promise(resolve => server.close(resolve))
  })
})
