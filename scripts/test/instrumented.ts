import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Plugin } from 'vitest/config'
import { ROOT } from '../run.mjs'

type Logger = ConstructorParameters<typeof Instrumenter>[0]
type Instrumented = Awaited<ReturnType<Instrumenter['instrument']>>

const isOff = () => false
const ignore = () => {}
const LOGGER: Logger = {
  isTraceEnabled: isOff,
  isDebugEnabled: isOff,
  isInfoEnabled: isOff,
  isWarnEnabled: isOff,
  isErrorEnabled: isOff,
  isFatalEnabled: isOff,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
}

/** Stryker's mutants of these files, and the files with all of them compiled in. Ids are the same in each process. */
export function instrument(globs: readonly string[]): Promise<Instrumented> {
  const files = globSync(globs, { cwd: ROOT })
    .toSorted()
    .map(name => ({ name, content: readFileSync(join(ROOT, name), 'utf8'), mutate: true }))
  return new Instrumenter(LOGGER).instrument(files, { plugins: null, excludedMutations: [], ignorers: [] })
}

/** Loads instrumented files instead of those on the disk. */
export function instrumentedFiles(globs: readonly string[]): Plugin {
  const contents = instrument(globs).then(({ files }) => new Map(files.map(({ name, content }) => [name, content])))
  return {
    name: 'instrumented-files',
    enforce: 'pre',
    load: async id => (await contents).get(relative(ROOT, id.replace(/\?.*$/, ''))),
  }
}
