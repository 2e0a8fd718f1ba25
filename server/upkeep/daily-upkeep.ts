import { DAY_MS } from '#contract/rules.ts'
import { sweepRemovedLines } from '../cart/cart.ts'
import { prunePrices } from '../catalogue/price-history.ts'
import { sweepExpired } from '../accounts/sweeping.ts'
import { refreshUnitsSold, removeUnusedOptionSets } from '../catalogue/upkeep.ts'
import { databaseIdOf } from '../db/database-id.ts'
import { refreshStatistics } from '../db/statistics.ts'
import { refreshReplyTimes } from '../chat/reply-times.ts'
import { namedKeys } from '../uploads/files.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { transact } from '../db/transact.ts'
import type { Database } from '../db/types.ts'
import { sweepDrafts } from '../media/files.ts'
import { sweepNotifications } from '../notifications/notifications.ts'
import { assumeArrivals } from '../orders/arrivals.ts'
import { notifyOfLateParcels } from '../orders/late-parcels.ts'
import { sweepRequests } from '../orders/requests.ts'
import { askForReviews } from '../orders/review-requests.ts'
import { sweepEvents } from '../payments/events.ts'
import type { Jobs } from '../platform/jobs.ts'
import { runAll } from '../platform/run-all.ts'

/** Once a day for all processes that share the database. */
export function doDailyUpkeep(
  database: Database,
  { jobs, uploads, eraseAccounts }: { jobs: Jobs; uploads: Uploads; eraseAccounts: () => Promise<unknown> },
): Promise<void> {
  const { db, unhurried } = database
  return runAll([
    // These read or delete many rows, which in a large shop takes longer than the statement of a request may. A sweep
    // that failed for that would have even more to delete the next day.
    () => unhurried(unlimitedDb => transact(unlimitedDb, refreshUnitsSold)),
    () => unhurried(unlimitedDb => transact(unlimitedDb, refreshReplyTimes)),
    () => unhurried(prunePrices),
    () => unhurried(sweepNotifications),
    () => unhurried(sweepExpired),
    () => unhurried(unlimitedDb => sweepRemovedLines(unlimitedDb, new Date(Date.now() - DAY_MS))),
    () => unhurried(sweepRequests),
    () => sweepEvents(db),
    () => transact(db, removeUnusedOptionSets),
    () => assumeArrivals(db),
    () => notifyOfLateParcels(db, jobs),
    () => askForReviews(db, jobs),
    eraseAccounts,
    async () => uploads.sweepBucket(keys => namedKeys(db, keys), await databaseIdOf(db)),
    () => refreshStatistics(database),
  ])
}

/** Once a day in each process: each has a data folder of its own. */
export function sweepFolder({ db }: Database, uploads: Uploads, dataDir: string): Promise<void> {
  return runAll([() => uploads.sweep(keys => namedKeys(db, keys)), () => sweepDrafts(dataDir, DAY_MS)])
}
