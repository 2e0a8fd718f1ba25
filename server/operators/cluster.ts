import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { lstatSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makeDataFolder } from '../platform/data-folder.ts'

/** Environment variable of each process: its number, which is also the one of its successor. */
export const PROCESS_NUMBER = 'PROCESS_NUMBER'
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
/** A process that has lived this long is started again after the first pause. */
const STEADY_MS = 60_000
/** What all processes of the machine share, in the data folder of the first one. */
const SHARED = ['media', 'uploads']

/**
 * Starts `config.processes` equal processes behind one port, and each again when it ends, after a growing pause. On
 * SIGUSR2 restarts one after the other. The first one has the data folder; the others have folders in it. Resolves once
 * the first one listens, and ends this process with 1 if it does not.
 */
export async function startCluster(config: Config, log: Logger): Promise<void> {
  // `scripts/built.mjs` has removed this argument from `process.argv`, but the processes need it.
  cluster.setupPrimary({ args: ['shop'] })
  const running = new Set<Worker>()
  const listening = new WeakSet<Worker>()
  const restarting = new WeakSet<Worker>()
  let isRestarting = false
  let isRestartWanted = false
  let isEnding = false
  let exitCode = 0

  function endWith(code: number | null): void {
    exitCode ||= code ?? 1
    if (isEnding && running.size === 0) process.exit(exitCode)
  }

  function start(number: number): Worker {
    const worker = cluster.fork({ DATA_DIR: folderOf(config.dataDir, number), [PROCESS_NUMBER]: String(number) })
    running.add(worker)
    const forget = () => void running.delete(worker)
    endOf(worker).then(forget, forget)
    return worker
  }

  /** Keeps one process running. */
  async function attend(number: number, first?: Worker): Promise<void> {
    let failures = 0
    for (let worker = first; ; worker = undefined) {
      const startedAt = performance.now()
      try {
        worker ??= start(number)
        const { code, signal } = await endOf(worker)
        // A process that was just starting is ended by the signal itself, which is no failure.
        if (isEnding) return endWith(signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : code)
        if (restarting.delete(worker)) continue
        log.error({ code, signal, process: number }, 'a process has ended, and is started again')
      } catch (error) {
        log.error({ err: error, process: number }, 'a process could not be started; it is tried again')
      }
      failures = performance.now() - startedAt > STEADY_MS ? 1 : failures + 1
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS))
      if (isEnding) return endWith(0)
    }
  }

  async function isListening(worker: Worker): Promise<true> {
    while (!listening.has(worker)) await once(cluster, 'listening')
    return true
  }

  async function allListening(): Promise<void> {
    while (running.size < config.processes || [...running].some(worker => !listening.has(worker)))
      await once(cluster, 'listening')
  }

  /** Ends each process as SIGTERM does, once all others listen. */
  async function restartAll(): Promise<void> {
    const before = [...running]
    for (const worker of before) {
      await allListening()
      if (isEnding || !running.has(worker)) continue
      restarting.add(worker)
      worker.process.kill('SIGTERM')
      await endOf(worker)
    }
  }

  /** Called during a restart, restarts all once more: what has been restarted may have the previous build. */
  async function requestRestart(): Promise<void> {
    isRestartWanted = true
    if (isRestarting) return
    isRestarting = true
    while (isRestartWanted) {
      isRestartWanted = false
      await restartAll()
    }
    isRestarting = false
  }

  cluster.on('listening', worker => void listening.add(worker))
  process.on('SIGUSR2', () => void requestRestart())
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      isEnding = true
      running.forEach(worker => worker.process.kill(signal))
      endWith(0)
    })
  const first = start(1)
  // The first process prints why it ends. It starts alone, because it migrates the database and finds most faults.
  const ended = endOf(first).then(() => false)
  if (!(await Promise.race([isListening(first), ended]))) process.exit(1)
  if (config.metrics) {
    const { serveClusterMetrics } = await import('./metrics/endpoint.ts')
    await serveClusterMetrics(config.metrics, log)
  }
  void attend(1, first)
  for (let number = 2; number <= config.processes; number += 1) void attend(number)
}

interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Rejects if the system could not start the process, for example because it has too many. */
function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve, reject) => {
    worker.once('exit', (code, signal) => resolve({ code, signal: signal as NodeJS.Signals | null }))
    // A running process also has errors, such as messages that it did not get.
    worker.on('error', error => worker.process.pid === undefined && reject(error))
  })
}

function folderOf(dataDir: string, number: number): string {
  if (number === 1) return dataDir
  const folder = join(dataDir, `process-${number}`)
  makeDataFolder(folder)
  for (const name of SHARED) {
    makeDataFolder(join(dataDir, name))
    const link = join(folder, name)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(join(dataDir, name), link)
  }
  return folder
}
