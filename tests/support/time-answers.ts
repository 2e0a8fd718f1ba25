/** In a process of its own, which the test's work does not hold up: times the address it is given until it is told to stop. */
const url = process.argv[2]!
process.on('disconnect', () => process.exit(0))

for (;;) {
  const start = performance.now()
  await (await fetch(url)).text()
  process.send?.(performance.now() - start)
}
