import { RETURN_REASONS } from '#contract/returns.ts'
import { type FoundReturn, listReturns, readReturn } from '#server/returns/listing.ts'
import { moveReturn } from '#server/returns/moving.ts'
import { noSuchReturn } from '#server/returns/pictures.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '#server/platform/single-line.ts'
import type { AppContext, Handlers } from './app-context.ts'
import { many } from './describe.ts'
import { say } from './say.ts'
import { hintAtMore } from './table.ts'

/** Handlers of the commands for cancellations and returns. */
export const returnHandlers = {
  async 'return list'({ shop, isAll, since, before, limit }, { database }, terminal) {
    const found = await database.unhurried(db => listReturns(db, { shop, isAll, since, before, limit }))
    if (found.length === 0) return say(terminal, 'There are no open returns')
    await say(terminal, found.map(describeReturn).join('\n'))
    return hintAtMore(terminal, found.length, limit, new Date(found.at(-1)!.createdAt))
  },

  async 'return show'({ id, shop }, context, terminal) {
    const found = await readReturn(context.database.db, id, { shop })
    if (!found) throw noSuchReturn()
    return say(terminal, describeWhole(found, context).map(singleLine).join('\n'))
  },

  async 'return move'({ id, event, shop, answer, isRestocked }, { database, jobs }, terminal) {
    const status = await moveReturn(database.db, jobs, id, { event, owner: { shop }, answer, isRestocked })
    return say(terminal, `${id} is ${status.replace('_', ' ')}`)
  },
} satisfies Partial<Handlers>

function describeWhole(found: FoundReturn, { uploads, config }: AppContext): string[] {
  const { answer, refundCents, pictures, createdAt } = found
  return [
    describeReturn(found),
    `Requested ${createdAt}`,
    ...(answer ? [`Declined: “${answer}”`] : []),
    ...(refundCents > 0 ? [`Refund of $${plainDollars(refundCents)}`] : []),
    ...pictures.map(each => `${each.originalName}  ${config.publicUrl}${uploads.addressOf(each)}`),
  ]
}

function describeReturn(each: FoundReturn): string {
  const { id, orderNumber, shopName, kind, status, reason, words, tracking, dueAt, lines, pictures } = each
  const goods = lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  const parts = [
    id,
    kind,
    status.replace('_', ' '),
    ...(dueAt ? [`until ${dueAt}`] : []),
    shopName,
    `order ${orderNumber}`,
    goods,
    RETURN_REASONS[reason],
    ...(words ? [`“${words}”`] : []),
    ...(tracking ? [`tracking ${tracking}`] : []),
    ...(pictures.length > 0 ? [many(pictures.length, 'picture')] : []),
  ]
  return singleLine(parts.join('  '))
}
