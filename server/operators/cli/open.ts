import { join } from 'node:path'
import { type Config, mailProblem } from '#server/config.ts'
import { makeDataFolder } from '#server/platform/data-folder.ts'
import { openDatabase } from '#server/db/open.ts'
import { openJobs } from '#server/platform/jobs.ts'
import { openLimits } from '#server/http/limits.ts'
import { acquireLock } from '#server/platform/lock.ts'
import { openLog } from '#server/platform/log.ts'
import { openMail } from '#server/mail/open.ts'
import { openMedia } from '#server/media/store.ts'
import { fillReserve, freeReserve, isAlmostFull } from '#server/platform/disk-reserve.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import type { OrderMail } from '#server/platform/job-data.ts'
import { mailOrder } from '#server/orders/mail.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import type { AppContext } from './app-context.ts'

/** Opens the shop's data in this process, to run one command. Throws if another process holds the data folder. */
export async function openAppContext(config: Config): Promise<AppContext & { close(): Promise<void> }> {
  const { dataDir, databaseUrl, publicUrl } = config
  makeDataFolder(dataDir)
  const lock = databaseUrl ? null : await acquireLock(dataDir, 'a market command')
  try {
    if (isAlmostFull(dataDir)) freeReserve(dataDir)
    // Open the database after everything that may fail: an open one would keep the process from ending.
    const secrets = await openSecrets(join(dataDir, 'secrets'))
    const database = await openDatabase({ url: databaseUrl, folder: join(dataDir, 'db') })
    fillReserve(dataDir)
    const media = openMedia({ folder: join(dataDir, 'media'), background: false })
    const sessions = openSessions({ db: database.db, secrets })
    const sellerTokens = openSellerTokens({ db: database.db, secrets })
    const log = openLog({ level: config.logLevel })
    const mail = openMail({
      smtpUrl: config.smtpUrl,
      folder: join(dataDir, 'mail'),
      from: config.supportEmail,
      printsLinks: config.printsMailLinks,
    })
    const limits = openLimits({ database, rules: config.limits })
    const orderMail = (about: OrderMail) => mailOrder({ db: database.db, mail, publicUrl, limits }, about)
    // Other jobs wait for the running shop.
    const jobs = openJobs({ database, handlers: { orderMail }, log })
    return {
      database,
      media,
      sessions,
      sellerTokens,
      jobs,
      dataDir,
      publicUrl,
      holdLimits: config.holdLimits,
      mailProblem: mailProblem(config),
      async close() {
        await jobs.close()
        await media.close()
        await database.close()
        lock?.release()
      },
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}
