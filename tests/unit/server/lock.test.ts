import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { acquireLock } from '#server/lock.ts'

vi.mock('node:fs', { spy: true })

const HOLD_LOCK = new URL('../../support/hold-lock.ts', import.meta.url).pathname
const RACERS = 20
const ROUNDS = 3

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

async function contend(): Promise<{ child: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [HOLD_LOCK, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [answer] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, answer }
}

async function end(child: ChildProcess, how: () => void): Promise<void> {
  const ended = once(child, 'exit')
  how()
  await ended
}

describe('lock of the data folder', () => {
  test('makes the folder for its owner only', async () => {
    const lock = await acquireLock(folder)

    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    lock.release()
  })

  test('a full disk is told with the folder, and nothing is left in it', async () => {
    vi.mocked(fs.writeFileSync).mockImplementationOnce(path => {
      fs.closeSync(fs.openSync(path as string, 'w'))
      throw new Error('ENOSPC: no space left on device, write')
    })

    await expect(acquireLock(folder)).rejects.toThrow(`The data folder ${folder} cannot be used: ENOSPC`)
    await expect(readdir(folder)).resolves.toEqual([])
  })

  test('is refused with the pid of the living owner, and free again after release', async () => {
    const lock = await acquireLock(folder)

    await expect(acquireLock(folder)).rejects.toThrow(`pid ${process.pid}`)
    expect((await contend()).answer).toContain(`pid ${process.pid}`)

    lock.release()
    lock.release()
    expect((await contend()).answer).toBe('held')
  })

  test('goes with an owner that ends normally', async () => {
    const { child } = await contend()
    await end(child, () => child.stdin?.end())

    expect(await readdir(folder)).toEqual([])
  })

  test(`has one winner among ${RACERS} after kill -9 of its owner`, { timeout: 60_000 }, async () => {
    let owner = (await contend()).child
    for (let round = 0; round < ROUNDS; round++) {
      await end(owner, () => owner.kill('SIGKILL'))
      const racers = await Promise.all(Array.from({ length: RACERS }, contend))

      const [winner, ...others] = racers.filter(racer => racer.answer === 'held')
      expect(others).toEqual([])
      const refusals = racers.filter(racer => racer.answer.includes(`pid ${winner?.child.pid})`))
      expect(refusals).toHaveLength(RACERS - 1)
      expect(await readdir(folder)).toEqual(['lock'])
      owner = winner!.child
    }
  })

  test('stays with the one who took it over while another was still looking at the dead one', async () => {
    const path = join(folder, 'lock')
    const winner = JSON.stringify({ pid: process.ppid, started: null, id: 'winner' })
    const dead = JSON.stringify({ pid: process.pid, started: '1', id: 'dead' })
    await acquireLock(folder).then(lock => lock.release())
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

  test('is taken over from a process number that now belongs to another process', async () => {
    const lock = await acquireLock(folder)
    lock.release()
    const recycled = { pid: process.pid, started: '1', id: 'before the restart' }
    await writeFile(join(folder, 'lock'), JSON.stringify(recycled))

    expect((await contend()).answer).toBe('held')
  })

  test('is taken over when it is empty', async () => {
    await acquireLock(folder).then(lock => lock.release())
    await writeFile(join(folder, 'lock'), '')

    expect((await contend()).answer).toBe('held')
  })

  test('is not removed by an owner that has lost it', async () => {
    const lock = await acquireLock(folder)
    await writeFile(join(folder, 'lock'), 'somebody else')

    lock.release()

    expect(await readdir(folder)).toEqual(['lock'])
  })
})
