import { guessName } from './near-misses.ts'
import { shown } from './values.ts'

/** The columns of one program's catalogue files, which have a row for each variant. */
export interface Columns<Column extends string> {
  /** The kind of file, for messages. */
  title: string
  /** The columns that the import uses, by their usual names. */
  names: Record<Column, string>
  required: readonly Column[]
  /** The column with this name, in any of its accepted spellings. */
  find: (name: string) => Column | undefined
  /** Whether an unused column belongs to the program's format: then the operator gets no warning. */
  isKnown: (name: string) => boolean
  /** Whether unused columns are stored and written again by an export. */
  areCarried: boolean
}

/** Finds columns by their names in any case, or by these other names in lower case. */
export function byName<Column extends string>(
  names: Record<Column, string>,
  others: Partial<Record<string, Column>> = {},
): (name: string) => Column | undefined {
  const usual = Object.entries<string>(names).map(([column, name]) => [name.toLowerCase(), column as Column] as const)
  const all = new Map<string, Column | undefined>([...Object.entries(others), ...usual])
  return name => all.get(name.toLowerCase())
}

export interface Header<Column extends string> {
  /** The index of each used column. */
  at: Partial<Record<Column, number>>
  /** The other columns. */
  extra: [index: number, name: string][]
  /** Names of repeated columns, each with the name of the first one. */
  repeated: [name: string, before: string][]
  names: string[]
  missing: Column[]
}

/** Finds the columns of a file. If a column is repeated, the first one counts. */
export function readHeader<Column extends string>(columns: Columns<Column>, names: string[]): Header<Column> {
  const at: Header<Column>['at'] = {}
  const extra: Header<Column>['extra'] = []
  const repeated: Header<Column>['repeated'] = []
  const taken = new Set<string>()
  for (const [index, given] of names.entries()) {
    const name = given.trim()
    if (name === '') continue
    const column = columns.find(name)
    const before = column && at[column] !== undefined ? names[at[column]]?.trim() : taken.has(name) ? name : undefined
    taken.add(name)
    if (before !== undefined) repeated.push([name, before])
    else if (column) at[column] = index
    else extra.push([index, name])
  }
  const missing = columns.required.filter(column => at[column] === undefined)
  return { at, extra, repeated, names: names.map(name => name.trim()), missing }
}

/** Warnings for the operator about unused columns, except those that the program writes in all its files. */
export function describeUnused<Column extends string>(columns: Columns<Column>, header: Header<Column>): string[] {
  const { at, extra, repeated } = header
  const absent = columnsOf(columns).filter(column => at[column] === undefined)
  const foreign = extra.map(([, name]) => name).filter(name => !columns.isKnown(name))
  const guesses = foreign.map(name => ({ name, meant: guessColumn(columns, name, absent) }))
  const unknown = guesses.filter(({ meant }) => !meant).map(({ name }) => shown(name))
  return [
    ...repeated.map(([name, before]) =>
      name === before
        ? `the column ${shown(name)} is there twice: the first one counts`
        : `the column ${shown(name)} is not used: ${shown(before)} before it says the same`,
    ),
    ...guesses.flatMap(({ name, meant }) =>
      meant
        ? [`the column ${shown(name)} is not used: if it is ${shown(meant)}, give it that name and import again`]
        : [],
    ),
    ...(unknown.length > 0 ? [describeUnknown(unknown, columns.areCarried)] : []),
  ]
}

/** Lists the missing required columns, each with the column that may be meant. */
export function describeMissing<Column extends string>(columns: Columns<Column>, header: Header<Column>): string {
  return header.missing
    .map(column => {
      const found = header.extra.find(([, name]) => guessColumn(columns, name, [column]))
      const name = columns.names[column]
      return found ? `${name} (${shown(found[1])} may be it)` : name
    })
    .join(', ')
}

/** The usual name of the column in `among` that an unknown name probably means. */
export function guessColumn<Column extends string>(
  { names }: Columns<Column>,
  name: string,
  among: Column[],
): string | undefined {
  return guessName(
    name,
    among.map(column => names[column]),
  )
}

export function columnsOf<Column extends string>({ names }: Columns<Column>): Column[] {
  return Object.keys(names) as Column[]
}

function describeUnknown(names: string[], areCarried: boolean): string {
  const isOne = names.length === 1
  const what = `the column${isOne ? '' : 's'} ${names.join(', ')}`
  if (!areCarried) return `${what} ${isOne ? 'is' : 'are'} not used`
  return `shoppers do not see what is in ${what}; an export as Shopify writes ${isOne ? 'it' : 'them'} again`
}
