import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOlderRelease, PREVIOUS_RELEASE, RELEASE } from '#server/db/release.ts'

test('the release and the one before it are the last two of CHANGELOG.md, with their commits', () => {
  const headings = readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (v\S+) \([0-9a-f]{8}\)$/gm)

  expect(Array.from(headings, ([, release]) => release).slice(0, 2)).toEqual([RELEASE, PREVIOUS_RELEASE])
})

test.for([
  ['v0.2.0', 'v0.10.0', true],
  ['v0.10.0', 'v0.2.0', false],
  ['v1.0.0', 'v1.0.0', false],
  ['v1.2.3', 'v2.0.0', true],
] as const)('%s is older than %s: %s', ([one, other, expected]) => {
  expect(isOlderRelease(one, other)).toBe(expected)
})
