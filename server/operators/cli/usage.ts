import { stripVTControlCharacters } from 'node:util'
import { type CommandDef, renderUsage } from 'citty'
import { alignRows } from './table.ts'
import { UsageError } from './values.ts'

const HELP = ['--help', '-h']

type Found = { command: CommandDef; parents: CommandDef[]; rest: string[] }

/** The command that the words name, with its parents and the remaining words. */
function find(market: CommandDef, words: string[]): Found {
  let command = market
  const parents: CommandDef[] = []
  let rest = words
  for (;;) {
    const children = (command.subCommands ?? {}) as Record<string, CommandDef>
    const [word = ''] = rest
    const next = Object.hasOwn(children, word) ? children[word] : undefined
    if (!next) return { command, parents, rest }
    parents.push(command)
    command = next
    rest = rest.slice(1)
  }
}

/** The help of the command that the words name. */
export async function usageOf(market: CommandDef, words: string[], isColoured: boolean): Promise<string> {
  const { command, parents } = find(market, words)
  const usage = parents.length > 0 ? await renderUsage(command, parents.at(-1)) : overview(market)
  return isColoured ? usage : stripVTControlCharacters(usage)
}

/** All commands with their descriptions. */
function overview(market: CommandDef): string {
  const { description } = market.meta as { description: string }
  return `${description}\n\nUSAGE market COMMAND, market COMMAND --help\n\n${alignRows(commandRows(market)).trimEnd()}`
}

function commandRows({ subCommands = {} }: CommandDef, path = ' '): string[][] {
  return Object.entries(subCommands as Record<string, CommandDef>).flatMap(([name, command]) => {
    const whole = `${path} ${name}`
    return command.subCommands
      ? commandRows(command, whole)
      : [[whole, (command.meta as { description: string }).description]]
  })
}

export function asksForHelp(words: string[]): boolean {
  return words.some(word => HELP.includes(word))
}

/** Throws a `UsageError` for an unknown command, an unknown option, or an option without its value. */
export function checkWords(market: CommandDef, words: string[]): void {
  const { command, parents, rest } = find(market, words)
  if (command.subCommands) {
    const path = [...parents.slice(1), command]
      .map(({ meta }) => (meta as { name: string }).name)
      .filter(name => name !== 'market')
    const word = rest.find(each => !each.startsWith('-'))
    if (word === undefined) throw new UsageError('Name a command')
    throw new UsageError(`There is no command '${[...path, word].join(' ')}'`)
  }
  const options = Object.entries((command.args ?? {}) as Record<string, { type?: string }>)
  const known = options
    .filter(([, { type }]) => type !== 'positional')
    .flatMap(([name]) => [`--${name}`, `--no-${name}`])
  for (const word of rest) {
    if (word === '--') return
    const [option = ''] = word.split('=')
    if (word.startsWith('-') && word !== '-' && !known.includes(option))
      throw new UsageError(`There is no option ${option}`)
    const takesText = options.some(([name, { type }]) => type === 'string' && `--${name}` === word)
    if (takesText && (rest[rest.indexOf(word) + 1] ?? '-').startsWith('-'))
      throw new UsageError(`${word} needs a value`)
  }
}
