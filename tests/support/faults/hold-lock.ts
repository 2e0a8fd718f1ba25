import { acquireLock } from '#server/platform/lock.ts'

// Prints whether it acquired the lock of the folder, then waits until its standard input ends.
try {
  await acquireLock(process.argv[2] ?? '')
  console.log('held')
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
process.stdin.on('end', () => process.exit()).resume()
