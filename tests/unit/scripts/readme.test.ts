import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

test('npm writes nothing into the files and pipes that the output of commands is sent to', () => {
  const texts = globSync(['*.md', 'docs/**/*.md', 'deploy/*'], { cwd: ROOT }).map(name =>
    readFileSync(join(ROOT, name), 'utf8'),
  )
  const commands = texts.flatMap(text => text.match(/npm run [^`\n]*?market -- [^`\n#]*[>|][^`\n]*/g) ?? [])

  expect(commands.length).toBeGreaterThan(1)
  expect(commands.filter(command => !command.startsWith('npm run -s '))).toEqual([])
})
