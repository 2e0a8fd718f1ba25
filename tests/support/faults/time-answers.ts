/** In its own process, undisturbed by the test: times requests to a URL until disconnected. Failures take FAILED_MS. */
import { FAILED_MS } from './figures.ts'

const url = process.argv[2]!
process.on('disconnect', () => process.exit(0))

for (;;) {
  const start = performance.now()
  const response = await fetch(url)
  await response.text()
  process.send?.(response.ok ? performance.now() - start : FAILED_MS)
}
