import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Advisory, merge, readAudit } from './advisories/merge.ts'
import { ROOT } from './run.mjs'

const NAME = 'scripts/advisories/known.json'
const FILE = join(ROOT, NAME)
const MAX_MS = 60_000

/** Adds the registry's advisories for the locked packages to the list of known ones. */
function refresh(): void {
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Advisory[]
  const audit = spawnSync('npm', ['audit', '--json'], { cwd: ROOT, encoding: 'utf8', timeout: MAX_MS })
  if (audit.error) throw audit.error
  const merged = merge(known, readAudit(audit.stdout))
  writeFileSync(FILE, `${JSON.stringify(merged, null, 2)}\n`)
  const added = merged.filter(({ id }) => !known.some(each => each.id === id))
  for (const { severity, package: name, vulnerable, id } of added)
    console.log(`${severity} ${name} ${vulnerable}: ${id}`)
  console.log(`${added.length} new advisories in ${NAME}; npm run check says what has to be updated`)
}

try {
  refresh()
} catch (error) {
  console.error(`${NAME} was not updated: ${(error as Error).message}`)
  console.error('If the registry did not respond, try again where it does, or add advisories by hand')
  process.exitCode = 1
}
