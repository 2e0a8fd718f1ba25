import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/open.ts'
import { type Jobs, openJobs } from './jobs.ts'
import { openLimits } from './limits.ts'
import { acquireLock } from './lock.ts'
import { openMail } from './mail/open.ts'
import { type Media, openMedia } from './media/store.ts'
import { openSecrets } from './secrets.ts'
import { mailReset } from './services/password-reset.ts'
import { openPasswords } from './services/passwords.ts'
import { openRates } from './services/rates.ts'
import { openSessions, type Sessions } from './services/sessions.ts'
import { refreshStatistics, refreshUnitsSold, sweepExpired } from './services/upkeep.ts'

export interface OpenProvider {
  database: Database
  media: Media
  sessions: Sessions
  /** Not started: what waits begins with `start`. */
  jobs: Jobs
  fetch: (request: Request) => Response | Promise<Response>
  close(): Promise<void>
}

const DAY_MS = 24 * 3600_000

/** Opens the data folder, the database in it (or PostgreSQL) and the API on top. Throws when another process holds the folder. */
export async function openProvider(config: Config, log: Logger): Promise<OpenProvider> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const lock = await acquireLock(config.dataDir)
  try {
    const database = await openDatabase({
      url: config.databaseUrl,
      folder: join(config.dataDir, 'db'),
      onError: error => log.warn({ err: error }, 'the database connection failed'),
    })
    const media = openMedia({ folder: join(config.dataDir, 'media'), log })
    const rates = openRates({ db: database.db, url: config.ratesUrl, log })
    const limits = openLimits({ database, rules: config.limits })
    const sessions = openSessions({ db: database.db, secrets: await openSecrets(join(config.dataDir, 'secrets')) })
    const passwords = openPasswords()
    const { smtpUrl, supportEmail, publicUrl } = config
    const mail = openMail({ smtpUrl, folder: join(config.dataDir, 'mail'), from: supportEmail })
    const handlers = {
      passwordReset: ({ email }: { email: string }) => mailReset({ db: database.db, mail, publicUrl }, email),
    }
    const jobs = openJobs({ database, handlers, log })
    const app = createApp({ database, media, rates, limits, jobs, sessions, passwords, config, log })
    const daily = setInterval(() => void lookAfter(database, log), DAY_MS)
    daily.unref()
    return {
      database,
      media,
      sessions,
      jobs,
      fetch: request => app.fetch(request),
      async close() {
        clearInterval(daily)
        await jobs.close()
        await media.close()
        await database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function lookAfter(database: Database, log: Logger): Promise<void> {
  try {
    await refreshUnitsSold(database.db)
    await sweepExpired(database.db)
    await refreshStatistics(database)
  } catch (error) {
    log.error({ err: error }, 'the daily upkeep failed')
  }
}
