import { join } from 'node:path'
import { NODE, ROOT, run, SIGNALLED } from './run.mjs'
import { mutantReport, mutantRuns } from './test/mutant-groups.ts'
import { scoreReport, THRESHOLDS } from './test/mutant-score.ts'
import { tryInOneProcess } from './test/mutants-in-one-process.ts'

const STRYKER = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const scores: string[] = []
try {
  const args = process.argv.slice(2)
  const options = args.filter(arg => arg.startsWith('-'))
  for (const { group, files } of mutantRuns(args.filter(arg => !arg.startsWith('-')))) {
    if (options.includes('--in-one-process')) {
      await tryInOneProcess({ group, files }, options)
      addScore(group)
      continue
    }
    const only = files.length > 0 ? ['--mutate', files.join(',')] : []
    const env = { ...process.env, MUTANT_GROUP: group }
    const code = await run(NODE, [STRYKER, 'run', ...only, ...options], { env })
    if (code !== 0) process.exitCode = code
    if (code > SIGNALLED) break
    addScore(group)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
console.log(scores.join('\n'))

function addScore(group: string): void {
  const { percent, detected, survived } = scoreReport(join(ROOT, mutantReport(group)))
  scores.push(`${group.padEnd(10)}${percent.toFixed(1)} %  ${detected} detected, ${survived} survived`)
  if (percent < THRESHOLDS.break) process.exitCode = 1
}
