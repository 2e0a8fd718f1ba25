import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import { ROOT } from '#scripts/run.mjs'
import { readConfig } from '#server/config.ts'
import { listenForOperators } from '#server/operators/control.ts'
import { openProvider } from '#server/provider.ts'
import { MARKET } from './market.ts'

export interface Ended {
  code: number | null
  out: string
  err: string
}

export interface Typing {
  /** Piped to standard input. */
  input?: string
  env?: NodeJS.ProcessEnv
  onStart?: (child: ChildProcessWithoutNullStreams) => void
}

/** Runs an operator's command. Returns its exit code and output. */
export async function typeCommand(words: string[], { input, env, onStart }: Typing = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...MARKET, ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  const ended: Ended = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', text => (ended.out += text))
  child.stderr.setEncoding('utf8').on('data', text => (ended.err += text))
  child.stdin.on('error', () => undefined)
  if (input !== undefined) child.stdin.end(input)
  onStart?.(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { ...ended, code }
}

/** A shop in this process that accepts operators' commands. */
export async function openForOperators(environment: NodeJS.ProcessEnv) {
  const log = pino({ level: 'silent' })
  const provider = await openProvider(readConfig(environment), log)
  const operators = await listenForOperators(provider, log)
  return {
    ...provider,
    async close() {
      await operators.close()
      await provider.close()
    },
  }
}
