import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BROUGHT_ABOUT } from '#tests/support/browser/spec-texts.ts'

const readAll = (pattern: string) => globSync(pattern).map(file => readFileSync(file, 'utf8'))
const partsOf = (text: string) => text.split(/\{\w+\}/).filter(part => part.trim() !== '')
const holds = (text: string) => (content: string) => partsOf(text).every(part => content.includes(part))

const { e2e, api, unit } = BROUGHT_ABOUT
const seen = [
  ...e2e.map(text => ['e2e', text] as const),
  ...api.map(text => ['api', text] as const),
  ...unit.map(text => ['unit', text] as const),
]
const tests = {
  e2e: readAll('tests/e2e/**/*.test.ts'),
  api: readAll('tests/api/**/*.test.ts'),
  unit: readAll('tests/unit/*/**/*.test.ts'),
}

test.each(seen)('a test of tests/%s contains %j', (folder, text) => {
  expect(tests[folder].some(holds(text))).toBe(true)
})
