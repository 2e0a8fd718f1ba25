import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '#tests/support/browser/e2e.ts'

const BUILT = join(process.env.DIST_DIR ?? 'dist', 'client')
/** Key and token formats of the services we use, and paths of the build machine. */
const SECRETS = [/sk_(live|test)_/, /AIza[\w-]{30}/, /eyJ[\w-]{10,}\.eyJ/, /PRIVATE KEY/, /\/node_modules\//]

test('an injected script does not run', { tag: '@desktop' }, async ({ page, faults }) => {
  for (const directive of ['script-src-elem', 'script-src-attr', 'script-src'])
    faults.expect(new RegExp(`CSP violation: ${directive} `))
  faults.expect(/Content Security Policy/)
  await page.goto('/about-us')
  const violations = page.evaluate(
    () =>
      new Promise<void>(resolve => {
        let count = 0
        document.addEventListener('securitypolicyviolation', () => (count += 1) === 3 && resolve())
      }),
  )

  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', '<button id="injected" onclick="window.ran = true">Click</button>')
    document.getElementById('injected')?.click()
    // eslint-disable-next-line typescript/no-implied-eval -- This must not run.
    setTimeout('window.ran = true')
  })

  await violations
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
})

test('files that browsers load contain no secret', { tag: '@desktop' }, () => {
  const files = globSync('**/*.{js,css,html,json,svg,webmanifest,map}', { cwd: BUILT })
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter(file => file.endsWith('.map'))).toEqual([])

  const telling = files.filter(file => {
    const content = readFileSync(join(BUILT, file), 'utf8')
    return content.includes(process.cwd()) || SECRETS.some(secret => secret.test(content))
  })

  expect(telling).toEqual([])
})
