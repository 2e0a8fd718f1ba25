import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunnerTestCase as Test, type RunnerTestFile, TestRunner, type TestTryOptions } from 'vitest'
import { ROOT } from '../run.mjs'
import { addLine, type Hits, type Outcome, readLines } from './mutant-tries.ts'

/** What instrumented code reads and counts. */
interface Switches {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> }
}

/** What the next run of the test is for. `check`: whether the test passes without the mutant that it failed with. */
type Purpose = 'reach' | 'repeat' | 'mutant' | 'check'

/** More than any test has mutants; the test ends with a skip. */
const REPEATS = 100_000
/** A mutant may slow a test down by this much before it counts as one that never ends. */
const MORE_HITS = 100
const MORE_MS = 15_000
const SLOWDOWN = 5
/** What runs with a mutant must count neither as reached by a test nor as run when modules are loaded. */
const UNCOUNTED = 'uncounted'

const file = process.env.MUTANT_TRIES ?? ''
const switches: Switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {})

/**
 * Repeats each test, with its hooks, in the shop of its file: twice without a mutant, then once for each undetected
 * mutant that it reaches, and once without a mutant after each failure.
 */
export default class MutantRunner extends TestRunner {
  readonly #detected = new Set<string>()
  /** Outcomes by test and mutant. */
  readonly #tried = new Map<string, Outcome>()
  readonly #doneTests = new Set<string>()
  readonly #mutatedFiles = new Set<string>()
  readonly #leftFiles = new Set<string>()
  #purpose: Purpose = 'reach'
  #reached: Hits = {}
  #mutant = ''
  #isLate = false
  /** Whether the run before this one passed without a mutant: then a failure is the mutant's. */
  #isAfterPlainRun = false
  #usualMs = 0
  #startedAt = 0

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config)
    for (const line of readLines(file)) {
      if ('outcome' in line) this.#remember(line.test, line.mutant, line.outcome)
      if ('done' in line) this.#doneTests.add(line.done)
    }
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#leftFiles.has(test.file.filepath) || this.#doneTests.has(nameOf(test))) test.mode = 'skip'
    this.#purpose = 'reach'
    test.repeats = REPEATS
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(test: Test, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options)
    const name = nameOf(test)
    if (this.#leftFiles.has(test.file.filepath)) test.context.skip()
    if (this.#purpose === 'repeat' || this.#purpose === 'mutant') {
      const next = this.#nextMutant(name)
      if (next === undefined) {
        addLine(file, { done: name })
        test.context.skip()
      }
      this.#mutant = next ?? ''
    }
    switches.currentTestId = this.#purpose === 'reach' ? name : UNCOUNTED
    switches.activeMutant = this.#purpose === 'mutant' ? this.#mutant : undefined
    if (this.#purpose === 'mutant') this.#mutatedFiles.add(test.file.filepath)
    switches.hitCount = 0
    switches.hitLimit = MORE_HITS * (this.#reached[this.#mutant] ?? 1)
    this.#isLate = false
    this.#startedAt = performance.now()
  }

  async runTask(test: Test): Promise<void> {
    const whole = Promise.resolve(TestRunner.getTestFn(test)())
    if (this.#purpose !== 'mutant') return whole
    const stop = new AbortController()
    const late = sleep(MORE_MS + SLOWDOWN * this.#usualMs, undefined, { signal: stop.signal }).then(() => {
      this.#isLate = true
      throw new Error('The test takes too long with this mutant')
    })
    late.catch(() => {})
    return Promise.race([whole, late]).finally(() => stop.abort())
  }

  override async onAfterRetryTask(test: Test, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options)
    const { result } = test
    // Skipped: the test has tried all its mutants.
    if (!result || result.state === 'skip') return void (switches.currentTestId = undefined)
    const hasPassed = result.state === 'pass'
    switches.activeMutant = undefined
    switches.currentTestId = UNCOUNTED
    result.errors = undefined
    result.attempts = []
    this.#judge(test, hasPassed)
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    switches.currentTestId = undefined
    addLine(file, { loaded: switches.mutantCoverage?.static ?? {} })
    super.onAfterRunFiles(files)
  }

  #judge(test: Test, hasPassed: boolean): void {
    const name = nameOf(test)
    if (this.#purpose === 'reach') {
      this.#usualMs = performance.now() - this.#startedAt
      this.#reached = { ...switches.mutantCoverage?.perTest[name] }
      if (!hasPassed) this.#giveUp(test)
      this.#purpose = 'repeat'
    } else if (this.#purpose === 'repeat') {
      if (!hasPassed) this.#giveUp(test)
      this.#purpose = 'mutant'
      this.#isAfterPlainRun = true
    } else if (this.#purpose === 'mutant') {
      if (hasPassed) {
        this.#record(name, switches.hitCount === 0 ? 'not run' : 'passed')
        this.#isAfterPlainRun = false
      } else this.#purpose = 'check'
    } else {
      if (!hasPassed && !this.#isAfterPlainRun) this.#record(name, 'unsettled')
      else this.#record(name, this.#isLate ? 'timed out' : 'failed')
      if (!hasPassed) this.#leave(test)
      this.#isAfterPlainRun = true
      this.#purpose = 'mutant'
    }
  }

  /** A test that fails without a mutant is tried again in a new shop if mutants have run in this one. */
  #giveUp(test: Test): void {
    if (this.#mutatedFiles.has(test.file.filepath)) return this.#leave(test)
    addLine(file, { unusable: nameOf(test) })
    this.#reached = {}
  }

  #leave({ file: { filepath } }: Test): void {
    addLine(file, { abandoned: relative(ROOT, filepath) })
    this.#leftFiles.add(filepath)
  }

  /** An unsettled mutant comes first, because no other one has run in the new shop then. */
  #nextMutant(test: string): string | undefined {
    const outcomeOf = (id: string) => this.#tried.get(`${test} ${id}`)
    const open = Object.keys(this.#reached).filter(id => !this.#detected.has(id))
    return open.find(id => outcomeOf(id) === 'unsettled') ?? open.find(id => outcomeOf(id) === undefined)
  }

  #record(test: string, outcome: Outcome): void {
    addLine(file, { test, mutant: this.#mutant, outcome })
    this.#remember(test, this.#mutant, outcome)
  }

  #remember(test: string, mutant: string, outcome: Outcome): void {
    this.#tried.set(`${test} ${mutant}`, outcome)
    if (outcome === 'failed' || outcome === 'timed out') this.#detected.add(mutant)
  }
}

function nameOf(test: Test): string {
  return `${relative(ROOT, test.file.filepath)} > ${test.fullTestName}`
}
