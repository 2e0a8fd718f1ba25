import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MUTANT_GROUPS, mutantRuns } from '#scripts/test/mutant-groups.ts'
import { scoreReport } from '#scripts/test/mutant-score.ts'
import { judge, type Outcome } from '#scripts/test/mutant-tries.ts'
import mutantsConfig from '../../../vitest.mutants.config.ts'
import config from '../../../vitest.config.ts'

/** Expands `{a,b}` in a glob, so that an alternative without matches is noticed. */
function alternatives(glob: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(glob) ?? []
  return choices === undefined ? [glob] : choices.split(',').map(choice => `${before}${choice}${after}`)
}

test.each(Object.entries(MUTANT_GROUPS))('the mutant group %s has code and tests', (_name, { mutate, tests }) => {
  for (const glob of [...mutate, ...tests].flatMap(alternatives))
    expect([glob, globSync(glob).length > 0]).toEqual([glob, true])
})

test('the tests may have the same tags as in npm test', () => {
  const namesOf = ({ test }: { test?: { tags?: { name: string }[] } }) => test?.tags?.map(({ name }) => name)

  expect(namesOf(mutantsConfig)).toEqual(namesOf(config))
})

test('all groups run without names, and only the named ones with names', () => {
  expect(mutantRuns([]).map(({ group }) => group)).toEqual(Object.keys(MUTANT_GROUPS))
  expect(mutantRuns(['stores', 'contract/cart.ts', 'contract/rules.ts'])).toEqual([
    { group: 'stores', files: [] },
    { group: 'contract', files: ['contract/cart.ts', 'contract/rules.ts'] },
  ])
})

test('an unknown name throws an error that lists the groups', () => {
  expect(() => mutantRuns(['server/main.ts'])).toThrow(
    `'server/main.ts' is no group and no file of one. The groups are ${Object.keys(MUTANT_GROUPS).join(', ')}.`,
  )
})

test('the score is the share of killed and timed-out mutants among those that could run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-mutants-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const mutants = (...statuses: string[]) => ({ mutants: statuses.map(status => ({ status })) })
  const files = {
    'a.ts': mutants('Killed', 'Killed', 'Survived', 'CompileError'),
    'b.ts': mutants('Timeout', 'NoCoverage', 'Ignored'),
  }
  writeFileSync(report, JSON.stringify({ files }))

  expect(scoreReport(report)).toEqual({ detected: 3, survived: 2, percent: 60 })
})

test('a mutant that is tried in one process is detected if any test fails with it', () => {
  const tried = (mutant: string, ...outcomes: Outcome[]) =>
    outcomes.map((outcome, at) => ({ test: `test ${at}`, mutant, outcome }))
  const lines = [
    { loaded: { late: 1, constant: 1 } },
    ...tried('wrong', 'passed', 'failed'),
    ...tried('endless', 'timed out'),
    ...tried('harmless', 'passed', 'passed'),
    ...tried('doubtful', 'unsettled'),
    ...tried('late', 'passed'),
    ...tried('prepared', 'not run', 'not run'),
    { unusable: 'test 3' },
  ]

  const ids = ['wrong', 'endless', 'harmless', 'doubtful', 'late', 'constant', 'prepared', 'unreached']

  const { results, once, unusable } = judge(lines, ids)

  expect([...results].map(([id, { status }]) => `${id}: ${status}`)).toEqual([
    'wrong: Killed',
    'endless: Timeout',
    'harmless: Survived',
    'doubtful: Survived',
    'late: Survived',
    'constant: Ignored',
    'prepared: Ignored',
    'unreached: NoCoverage',
  ])
  expect(once).toEqual(['late', 'constant', 'prepared'])
  expect([...unusable]).toEqual(['test 3'])
})
