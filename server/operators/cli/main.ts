import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Config, ConfigError, readConfig, readEnvFile } from '#server/config.ts'
import { reasonOf } from '#server/db/errors.ts'
import { openLog } from '#server/platform/log.ts'
import { singleLines } from '#server/platform/single-line.ts'
import { askShop, type Streams } from './ask-shop.ts'
import { asksForYes, UNCONFIRMED } from './confirm.ts'
import { defineMarket } from './commands.ts'
import { many } from './describe.ts'
import type { Command } from './command.ts'
import type { SellerAccess } from './seller-handlers.ts'
import { UsageError } from './values.ts'

const MISUSED = 2
const INTERRUPTED = 130
/** Commands with which a new shop begins. */
const FIRST_COMMANDS: Command['name'][] = ['import', 'seller add', 'demo reset']

const words = process.argv.slice(2)
const leaving = new AbortController()
let code = 0

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort(new Error('Interrupted')))
process.stdout.on('error', ({ code: reason, message }: NodeJS.ErrnoException) => {
  // A pipe may close our output early: `market export | head`.
  if (reason === 'EPIPE') process.exit(code)
  process.stderr.write(`The output cannot be written: ${message}\n`)
  process.exit(1)
})

const market = defineMarket({
  async sendCommand(command, file) {
    code = await sendConfirmed(command, file)
  },
  async talk(shop) {
    code = await talk(shop)
  },
  async restoreArchive(file) {
    code = await restoreArchive(file)
  },
  async publish(folder) {
    code = await publish(folder)
  },
})
let chosen: CommandUnknownOpts = market
market.hook('preAction', (_, command) => void (chosen = command))

try {
  readEnvFile()
  await market.parseAsync(words, { from: 'user' })
} catch (error) {
  code = explain(error)
}
process.exitCode = code

/** Like `sendCommand`, but asks the operator first if the command cannot be undone. */
async function sendConfirmed(command: Command, file: string | undefined): Promise<number> {
  const ended = await sendCommand(command, file)
  if (ended !== UNCONFIRMED || !('isConfirmed' in command)) return ended
  const isYes = await asksForYes({ input: process.stdin, output: process.stderr })
  return isYes ? sendCommand({ ...command, isConfirmed: true }, file) : 1
}

/**
 * Runs a command in the shop that runs on this data folder, or else in this process, which also makes the backups of a
 * shop on PostgreSQL. Resolves with the exit code.
 */
async function sendCommand(command: Command, file: string | undefined, out = printed): Promise<number> {
  const config = readConfig()
  if (config.providerUrl)
    throw new UsageError(`The catalogue is at ${config.providerUrl}: give the command where that provider runs`)
  const { input, size } = await openInput(file)
  const complete = command.name === 'import' ? { ...command, size } : command
  const streams = {
    input,
    out,
    err: (text: string) => writeText(process.stderr, text),
    isWatched: process.stderr.isTTY,
    signal: leaving.signal,
  }
  leaving.signal.addEventListener('abort', () => input.destroy(leaving.signal.reason as Error))
  // While the database opens, nothing reads the input. Without a listener, an early error would end the process; with
  // one, the later reader still gets it.
  input.on('error', () => undefined)
  // The shop's service may be forbidden to write to the archive's folder, or have a /tmp of its own.
  const isOwn = command.name === 'backup' && config.databaseUrl !== undefined
  try {
    const code = isOwn ? null : await askShop(config.dataDir, complete, streams)
    return code ?? (await runHere(config, complete, streams))
  } finally {
    // An open input would keep this process from ending.
    input.destroy()
  }
}

/** Opens a shop's chat in this terminal, connected to the running shop. */
async function talk(shop: string): Promise<number> {
  let output = ''
  const ended = await sendCommand({ name: 'seller line', shop }, undefined, async text => void (output += text))
  if (ended !== 0) return ended
  const { chatAsSeller } = await import('./seller-chat.ts')
  return chatAsSeller(JSON.parse(output) as SellerAccess, {
    input: process.stdin,
    output: process.stdout,
    isWatched: process.stdout.isTTY,
    signal: leaving.signal,
  })
}

/** Restores an archive. Always in this process: while a shop runs, its data folder cannot be replaced. */
async function restoreArchive(file: string): Promise<number> {
  const config = readConfig()
  if (!(await stat(file).catch(() => null))) throw new UsageError(`There is no file ${file}`)
  const { restore } = await import('../backup/restore.ts')
  const { rows, madeAt, release } = await restore({ ...config, file, signal: leaving.signal })
  const place = config.databaseUrl ? 'the database' : config.dataDir
  await printed(`${many(rows, 'row')} as of ${madeAt} are in ${place} (from Piazza ${release})\n`)
  return 0
}

/** Publishes the policy pages. Always in this process: running shops notice new pages themselves. */
async function publish(from: string | undefined): Promise<number> {
  if (from !== undefined && !(await stat(from).catch(() => null))?.isDirectory())
    throw new UsageError(`There is no folder ${from}`)
  const { publishContent } = await import('#server/content/publish.ts')
  const { pageCount, mistakes } = await publishContent({ from, distDir: readConfig().distDir, now: new Date() })
  if (mistakes.length === 0) {
    await printed(`${many(pageCount, 'page')} published; running shops show them within a few seconds\n`)
    return 0
  }
  await writeText(process.stderr, `${mistakes.join('\n')}\nNothing was published: fix this first.\n`)
  return 1
}

async function runHere(config: Config, command: Command, streams: Streams): Promise<number> {
  // Imported only when needed, because the database's modules take time to load.
  const [{ openProvider }, { handleCommand }] = await Promise.all([
    import('#server/provider.ts'),
    import('./handle-command.ts'),
  ])
  const isNew = !config.databaseUrl && !existsSync(join(config.dataDir, 'db'))
  const provider = await openProvider(config, openLog({ level: config.logLevel }), { isCommand: true })
  try {
    if (isNew && !FIRST_COMMANDS.includes(command.name))
      await streams.err(`There was no shop in ${config.dataDir}: a new one was created\n`)
    streams.signal.throwIfAborted()
    return await handleCommand(command, provider, { ...streams, read: streams.input })
  } finally {
    await provider.close()
  }
}

function printed(text: string): Promise<void> {
  return writeText(process.stdout, text)
}

async function openInput(file: string | undefined): Promise<{ input: Readable; size?: number }> {
  if (file === undefined) return { input: Readable.from([]) }
  if (file === '-') return { input: process.stdin }
  const found = await stat(file).catch(() => null)
  if (!found) throw new UsageError(`There is no file ${file}`)
  if (found.isDirectory()) throw new UsageError(`${file} is a folder`)
  return { input: (await open(file)).createReadStream(), size: found.size }
}

function writeText(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, error => (error ? reject(error) : resolve())))
}

function explain(error: unknown): number {
  if (leaving.signal.aborted) {
    const isImport = words[0] === 'import' && !words.includes('--dry-run')
    process.stderr.write(`Interrupted${isImport ? ': what was read before is in the catalogue' : ''}\n`)
    return INTERRUPTED
  }
  // Commander has already written the reason or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n`)
    chosen.outputHelp({ error: true })
    return MISUSED
  }
  if (error instanceof ConfigError) process.stderr.write(`The configuration is invalid:\n${error.message}\n`)
  else process.stderr.write(`${singleLines(reasonOf(error))}\n`)
  return 1
}
