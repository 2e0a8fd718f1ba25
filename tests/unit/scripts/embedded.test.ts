import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { apiTests } from '#scripts/test/embedded.ts'
import { ALL_STEPS, STEPS } from '#scripts/test/steps.ts'

const { embedded, others } = apiTests()
const textOf = (file: string) => readFileSync(file, 'utf8')

/** What in a test file shows that its outcome may depend on the database. */
const SIGNS: Record<string, RegExp> = {
  'uses the driver, a transaction or its errors': /from '#server\/db\/(?!schema\.ts|types\.ts)/,
  'uses the queue of jobs or leases': /from '#server\/platform\/(jobs|leases)\.ts'/,
  'starts a database or processes of its own': /makeShopData\(|inject\('(snapshot|postgresUrl)'\)/,
  searches: /\.(queryProducts|countProducts|suggest\w*|search\w*)\(/,
  'sends many requests at once, which wait for the only connection': /Promise\.all\(\s*Array\.from\(/,
}
const ROOMS = /^tests\/api\/(db|platform|page-cache)\//

test('API tests whose outcome may depend on the database carry the tag embedded', () => {
  const lacking = others.flatMap(file => [
    ...(ROOMS.test(file) ? [`${file}: its whole folder has the tag`] : []),
    ...Object.entries(SIGNS).flatMap(([sign, is]) => (is.test(textOf(file)) ? [`${file} ${sign}`] : [])),
  ])
  expect(lacking).toEqual([])
})

test('API tests with the tag embedded make every call of the contract', () => {
  const texts = embedded.map(textOf)
  const lacking = Object.entries(endpoints).filter(
    ([name, { path }]) => !texts.some(text => text.includes(`.${name}(`) || text.includes(`/api${path}`)),
  )
  expect(lacking.map(([name]) => name)).toEqual([])
})

test('each folder of API tests has some with the tag embedded', () => {
  const covered = new Set(embedded.map(dirname))
  expect(others.map(dirname).filter(folder => !covered.has(folder))).toEqual([])
})

test('npm test runs the API tests with the tag on the embedded database, npm test -- --all the others too', () => {
  const filesOf = (steps: typeof STEPS) =>
    steps
      .filter(({ name }) => name.startsWith('api-pglite'))
      .flatMap(({ command }) => command.filter(word => word.startsWith('tests/api/')))
  expect(filesOf(STEPS)).toEqual(embedded)
  expect(filesOf(ALL_STEPS).toSorted()).toEqual([...embedded, ...others].toSorted())
})
