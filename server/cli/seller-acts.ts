import { Refusal } from '#server/errors.ts'
import { recordAudit } from '#server/services/audit.ts'
import { addSeller, changeSeller } from '#server/services/catalogue-changes.ts'
import { describeRates } from './describe.ts'
import type { OrderOf } from './order.ts'
import type { Premises, Terminal } from './perform.ts'
import { say } from './say.ts'

type About = { shop: string }

/** How a terminal reaches the running shop as one of its sellers. */
export interface Line {
  url: string
  token: string
  sellerId: string
  shopName: string
}

/** Carries out what an operator wants done with shops. */
export const sellerActs = {
  async 'seller add'(shop: OrderOf<'seller add'>, { database }: Premises, terminal: Terminal) {
    return say(terminal, `Added the shop '${await addSeller(database.db, shop)}'`)
  },

  async 'seller verify'({ shop, isVerified }: OrderOf<'seller verify'>, { database }: Premises, terminal: Terminal) {
    const { shopName } = await changeSeller(database.db, shop, { isVerified })
    return say(terminal, `${shopName} is ${isVerified ? 'verified' : 'not verified'} now`)
  },

  async 'seller shipping'({ shop, rates }: OrderOf<'seller shipping'>, { database }: Premises, terminal: Terminal) {
    const { shopName, shippingRates } = await changeSeller(database.db, shop, { shippingRates: rates })
    return say(terminal, `${shopName} ships to ${describeRates(shippingRates)}`)
  },

  async 'seller ai'({ shop, hasAi }: OrderOf<'seller ai'>, { database }: Premises, terminal: Terminal) {
    const { shopName } = await changeSeller(database.db, shop, { hasAi })
    return say(terminal, `${shopName} ${hasAi ? 'answers automatically' : 'answers by hand'} now`)
  },

  async 'seller token'({ shop }: About, premises: Premises, terminal: Terminal) {
    return say(terminal, (await letIn(premises, shop)).token)
  },

  async 'seller revoke'({ shop }: About, { sellerTokens }: Premises, terminal: Terminal) {
    const { shopName } = await sellerTokens.revoke(shop)
    return say(terminal, `${shopName} needs a new token now`)
  },

  async 'seller line'({ shop }: About, premises: Premises, terminal: Terminal) {
    const { address } = premises
    if (!address) throw new Refusal(422, 'No shop is running on this data: start it with npm start')
    const line: Line = { url: address, ...(await letIn(premises, shop)) }
    return say(terminal, JSON.stringify(line))
  },
}

async function letIn({ sellerTokens, database }: Premises, shop: string): Promise<Omit<Line, 'url'>> {
  const { id, token, shopName } = await sellerTokens.issue(shop)
  await recordAudit(database.db, { event: 'seller_token', outcome: 'ok', details: { sellerId: id } })
  return { token, sellerId: id, shopName }
}
