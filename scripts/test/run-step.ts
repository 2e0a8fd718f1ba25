import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run.mjs'
import { type Counts, countStep, reportTo } from './reports.ts'
import type { Step } from './steps.ts'

export interface Result extends Counts {
  step: Step
  seconds: number
  output: string
}

const LIMIT_MS = 40 * 60_000
const running = new Set<ChildProcess>()

/**
 * Runs one step until its end or the time limit, and collects its output. Never throws: a crash is a failure. A test
 * runner that crashes before it writes its report (Node's threads do now and then) is run once more, and counted as
 * flaky. The reports are files in `folder`.
 */
export async function runStep(step: Step, folder: string): Promise<Result> {
  const file = join(folder, `${step.name}.json`)
  // A shared compile cache, because tests start shops and commands dozens of times.
  const cache = join(folder, 'compiled')
  const first = await runOnce(step, file, cache)
  const hasCrashed = step.report !== undefined && first.end !== 'out of time' && !existsSync(file)
  if (!hasCrashed) return first
  const second = await runOnce(step, file, cache)
  return {
    ...second,
    flaky: second.flaky + 1,
    failures: [`the test runner crashed (${first.end}) and was run once more`, ...second.failures],
    seconds: first.seconds + second.seconds,
    output: `${first.output}\nThe test runner crashed (${first.end}). Its second run:\n${second.output}`,
  }
}

/** `end` is the exit code, the signal that ended the process, or why it was stopped. */
async function runOnce(step: Step, file: string, cache: string): Promise<Result & { end: string }> {
  const { args, env } = step.report ? reportTo(step.report, file) : { args: [], env: {} }
  const [program = '', ...rest] = step.command
  const started = performance.now()
  const child = spawn(program, [...rest, ...args], {
    cwd: ROOT,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NODE_COMPILE_CACHE: cache, ...step.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  let end = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const timer = setTimeout(() => {
    output += `\nStopped: '${step.name}' took more than ${LIMIT_MS / 60_000} minutes.\n`
    end = 'out of time'
    kill(child)
  }, LIMIT_MS)

  let isOk = false
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    isOk = code === 0
    end ||= signal ?? `exit code ${code}`
  } catch (error) {
    output += String(error)
  }
  clearTimeout(timer)
  running.delete(child)
  const counts = countStep(isOk, step.report, file)
  return { step, ...counts, end, seconds: (performance.now() - started) / 1000, output }
}

/** Kills all running steps and the processes that they have started. */
export function killRunningSteps(): void {
  for (const child of running) kill(child)
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
