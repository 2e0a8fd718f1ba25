import { sql } from 'drizzle-orm'
import type { Clock, PgBoss, ScheduleOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { transact } from '../db/transact.ts'
import type { Database, Db, Tx } from '../db/types.ts'
import type { JobData } from './job-data.ts'

type JobName = keyof JobData

/**
 * The function that runs each kind of job. If it throws, the job is retried after a wait. Long work should end soon
 * after `closing` aborts: a few seconds later the process ends.
 */
export type Handlers = { [Name in JobName]: (data: JobData[Name], closing: AbortSignal) => Promise<void> }

/** Stores a job as part of a transaction. It runs after `afterSeconds`, by default as soon as possible. */
export type SendJob = <Name extends JobName>(name: Name, data: JobData[Name], afterSeconds?: number) => Promise<void>

export interface Jobs {
  /**
   * Starts to run stored jobs, including those from before a restart, and the scheduled ones. Further calls do nothing.
   * Rejects if that fails, and tries again in the background until it succeeds.
   */
  start(): Promise<void>
  /** Stores a job, to be run soon. */
  send<Name extends JobName>(name: Name, data: JobData[Name]): Promise<void>
  /**
   * Like `transact` (db/transact.ts), for work that sends jobs: they are stored only if the transaction commits, and
   * start soon after that.
   */
  transact<Result>(db: Db, work: (tx: Tx, sendJob: SendJob) => Promise<Result>): Promise<Result>
  /** Waits for running jobs and stops. */
  close(): Promise<void>
}

/** The database schema that holds pg-boss's tables. */
export const JOBS_SCHEMA = 'jobs'

export interface JobOptions {
  /** The kinds of jobs that this process runs; by default, all that have a handler. */
  kinds?: JobName[]
  /** The wait after a first failure; each further wait is twice as long, up to 15 minutes (a minute for the start). */
  retrySeconds?: number
  /** How often a process looks for jobs that another one has stored; pg-boss's minimum is half a second. */
  pollSeconds?: number
  /** Whether scheduled jobs run at their times, by default true. */
  hasSchedules?: boolean
}

interface Options extends JobOptions {
  database: Pick<Database, 'db' | 'kind'>
  handlers: Partial<Handlers>
  log: Pick<Logger, 'warn'>
}

const POLL_SECONDS = 2
/**
 * How many of these each process works on at the same time: a mail server takes most of a letter's time, and each order
 * has several. All others run one at a time.
 */
const AT_ONCE: Partial<Record<JobName, number>> = { orderMail: 5, sellerMail: 5 }
/** How often the other workers of such a queue look for waiting jobs; only the first one is notified of new ones. */
const EXTRA_WORKER_POLL_SECONDS = 10
/** With the waits in between, a failing job is retried for about six hours. */
const RETRIES = 30
const MAX_WAIT_SECONDS = 900
const MAX_START_WAIT_SECONDS = 60
const MAX_WORK_SECONDS = 120
const KEPT_SECONDS = 24 * 3600
const CLOSING_MS = 5000
/** How often pg-boss looks for due schedules, and for the jobs that these have sent. */
const CRON_SECONDS = 5
const CRON_JOB_SECONDS = 2
/** A job starts again when a check finds that its process has not reported for this long: it has died. */
const HEARTBEAT = { heartbeatSeconds: 20 }
const CHECK_SECONDS = 20
/** By default once a day: on a busy day, that deletes more jobs than a statement has time for. */
const DELETION_SECONDS = 600

interface Schedule extends ScheduleOptions {
  /** In UTC. */
  cron: string
  /** More occurrences: pg-boss sends at most one job a minute for each expression. */
  otherCron?: string
}

/** If a run fails or its process dies, the next run, in any process, makes up for it. */
const EVERY_MINUTE: Schedule = { cron: '* * * * *', expireInSeconds: 120, retryLimit: 3, deleteAfterSeconds: 3600 }
/** With `missed`, also soon after the start of a shop that was closed. */
const EVERY_FIVE_MINUTES: Schedule = { ...EVERY_MINUTE, cron: '*/5 * * * *', missed: 'once', expireInSeconds: 600 }

/** Each occurrence is one job for all processes together. */
const SCHEDULES: Partial<Record<JobName, Schedule>> = {
  // Every half minute: units must be for sale again within a minute.
  releaseUnpaid: { ...EVERY_MINUTE, otherCron: '30 * * * * *' },
  payRefunds: EVERY_MINUTE,
  // Looks through all alerts, which takes seconds in a large shop; changes are followed besides.
  deliverAlerts: EVERY_FIVE_MINUTES,
  reconcile: EVERY_FIVE_MINUTES,
  moveDueReturns: EVERY_FIVE_MINUTES,
  // Night in the countries of most shops; runs later if no process was running at that time. Takes hours in a large
  // shop: a run that expired would go on, beside its retry.
  dailyUpkeep: { cron: '17 1 * * *', missed: 'once', expireInSeconds: 23 * 3600, retryLimit: 3 },
}

/** Monotonic: with the system clock, workers would pause for as long as the clock is set back. */
const STEADY_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: timer => clearInterval(timer as NodeJS.Timeout),
}

/** A persistent job queue (pg-boss): jobs survive restarts. Uses no resources before `start` or the first `send`. */
export function openJobs({ database, handlers, log, ...options }: Options): Jobs {
  const queues = Object.keys(handlers) as JobName[]
  const { kinds = queues, retrySeconds = 5, pollSeconds = POLL_SECONDS } = options
  const { hasSchedules = kinds.some(name => SCHEDULES[name]) } = options
  let starting: Promise<Running> | undefined
  const closing = new AbortController()
  let startingAgain: NodeJS.Timeout | undefined

  const running = () => {
    if (closing.signal.aborted) throw new Error('the job queue is closed')
    const launching = (starting ??= launch())
    launching.catch(() => {
      if (starting === launching) starting = undefined
    })
    return launching
  }

  async function launch(): Promise<Running> {
    const boss = await createBoss(database, hasSchedules)
    boss.on('error', error => log.warn({ err: error }, 'the job queue has failed'))
    try {
      await boss.start()
      const { fromDrizzle } = await import('pg-boss')
      // All of them: jobs of other kinds are sent here, too, and run in another process.
      for (const name of queues) await openQueue(boss, name)
      const workers: Record<string, string> = {}
      for (const name of kinds) workers[name] = await startWorkers(boss, name)
      return { boss, workers, within: tx => fromDrizzle(tx, sql) }
    } catch (error) {
      // The next launch opens another one, and `close` stops only that.
      await boss.stop({ close: false, timeout: CLOSING_MS }).catch(() => undefined)
      throw error
    }
  }

  function startLater(seconds: number): void {
    clearTimeout(startingAgain)
    if (closing.signal.aborted) return
    startingAgain = setTimeout(() => {
      running().catch((error: unknown) => {
        log.warn({ err: error }, 'the job queue could not be started')
        startLater(Math.min(2 * seconds, MAX_START_WAIT_SECONDS))
      })
    }, seconds * 1000).unref()
  }

  async function openQueue(boss: PgBoss, name: JobName): Promise<void> {
    await boss.createQueue(name, {
      // With `short`, no more than one scheduled job waits while no process runs them.
      policy: SCHEDULES[name] ? 'short' : 'standard',
      retryLimit: RETRIES,
      retryDelay: retrySeconds,
      retryBackoff: true,
      retryDelayMax: Math.max(MAX_WAIT_SECONDS, retrySeconds),
      expireInSeconds: MAX_WORK_SECONDS,
      deleteAfterSeconds: KEPT_SECONDS,
    })
    // Makes pg-boss cache the queue now. Later, within a transaction, the embedded database's only connection is busy.
    await boss.findJobs(name, { key: '' })
  }

  /** Starts the workers of a queue. Returns the one to notify of new jobs. */
  async function startWorkers(boss: PgBoss, name: JobName): Promise<string> {
    const { cron, otherCron, ...more } = SCHEDULES[name] ?? {}
    const schedule = { ...HEARTBEAT, ...more }
    const work = async (pollingIntervalSeconds: number) => {
      const worker = await boss.work<JobData[JobName]>(name, { pollingIntervalSeconds }, async jobs => {
        for (const { data, id } of jobs) await runJob(name, data, id)
        // More jobs may be waiting.
        boss.notifyWorker(worker)
      })
      return worker
    }
    const first = await work(cron ? POLL_SECONDS : pollSeconds)
    for (let count = 1; count < (AT_ONCE[name] ?? 1); count += 1)
      await work(Math.max(pollSeconds, EXTRA_WORKER_POLL_SECONDS))
    if (cron && hasSchedules) await boss.schedule(name, cron, {}, schedule)
    if (otherCron && hasSchedules) await boss.schedule(name, otherCron, {}, { ...schedule, key: 'other' })
    return first
  }

  async function runJob(name: JobName, data: JobData[JobName], id: string): Promise<void> {
    try {
      const handle = handlers[name] as Handlers[JobName]
      await handle(data as never, closing.signal)
    } catch (error) {
      log.warn({ err: error, job: name, id }, 'a job failed and will be retried')
      throw error
    }
  }

  return {
    async start() {
      if (closing.signal.aborted) return
      await running().catch((error: unknown) => {
        startLater(retrySeconds)
        throw error
      })
    },
    async send(name, data) {
      const { boss, workers } = await running()
      await boss.send(name, data, HEARTBEAT)
      boss.notifyWorker(workers[name] ?? '')
    },
    async transact(db, work) {
      // Before the transaction: it may hold the only connection that starting needs.
      const { boss, within, workers } = await running()
      const due = new Set<JobName>()
      const result = await transact(db, tx => {
        const sendJob: SendJob = async (name, data, startAfter = 0) => {
          await boss.send(name, data, { ...HEARTBEAT, startAfter, db: within(tx) })
          if (startAfter === 0) due.add(name)
        }
        return work(tx, sendJob)
      })
      for (const name of due) boss.notifyWorker(workers[name] ?? '')
      return result
    },
    async close() {
      closing.abort()
      clearTimeout(startingAgain)
      const started = await starting?.catch(() => undefined)
      // Without its database pg-boss cannot stop cleanly; interrupted jobs are retried later.
      await started?.boss
        .stop({ close: false, timeout: CLOSING_MS })
        .catch((error: unknown) => log.warn({ err: error }, 'the job queue could not be stopped'))
    },
  }
}

async function createBoss({ db, kind }: Options['database'], hasSchedules: boolean): Promise<PgBoss> {
  // Imported on first use, so that the shop's start does not wait for it.
  const { PgBoss } = await import('pg-boss')
  const pool = db.$client
  return new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: JOBS_SCHEMA,
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    schedule: hasSchedules,
    cronMonitorIntervalSeconds: CRON_SECONDS,
    cronWorkerIntervalSeconds: CRON_JOB_SECONDS,
    superviseIntervalSeconds: CHECK_SECONDS,
    monitorIntervalSeconds: CHECK_SECONDS,
    maintenanceIntervalSeconds: DELETION_SECONDS,
    clock: STEADY_CLOCK,
    reindex: kind === 'postgresql',
    monitorVacuum: kind === 'postgresql',
  })
}

interface Running {
  boss: PgBoss
  /** The first worker of each queue. */
  workers: Record<string, string>
  within: (tx: Tx) => { executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }> }
}
