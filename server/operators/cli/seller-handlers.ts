import {
  addSeller,
  changeSeller,
  findSeller,
  hideShop,
  listShops,
  measureShop,
  readShop,
  removeShop,
  renameShop,
  setShopAddress,
  setShopEmail,
} from '#server/catalogue/seller-management.ts'
import { ConflictError } from '#server/platform/errors.ts'
import { changeShipping } from '#server/catalogue/shipping.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { UnconfirmedError } from './confirm.ts'
import { describeDays, describeRates, describeRemains, describeShop, many, shopRow } from './describe.ts'
import type { AppContext, Handlers } from './app-context.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

/** The data with which a terminal connects to the running shop as a seller. */
export interface SellerAccess {
  url: string
  token: string
  sellerId: string
  shopName: string
}

/** Handlers of the commands for shops. */
export const sellerHandlers = {
  async 'seller add'(shop, { database }, terminal) {
    return say(terminal, `Added the shop '${await addSeller(database.db, shop)}'`)
  },

  async 'seller list'({ text, limit }, { database }, terminal) {
    const shops = await listShops(database.db, text, limit)
    return printList(terminal, shops.map(shopRow), { limit, none: 'No shop' })
  },

  async 'seller show'({ shop }, { database, config }, terminal) {
    return say(
      terminal,
      describeShop(await readShop(database.db, shop), config.publicUrl)
        .map(singleLine)
        .join('\n'),
    )
  },

  async 'seller rename'({ shop, shopName }, { database }, terminal) {
    const renamed = await database.unhurried(db => renameShop(db, shop, shopName))
    return say(terminal, `${renamed.shopName} is ${shopName} now; its key is still '${renamed.key}'`)
  },

  async 'seller email'({ shop, email }, { database }, terminal) {
    const { shopName } = await setShopEmail(database.db, shop, email)
    const outcome = email === null ? 'gets no mail' : `gets a mail about each paid order at ${email}`
    return say(terminal, `${shopName} ${outcome} from now on`)
  },

  async 'seller address'({ shop, address }, { database }, terminal) {
    const { shopName } = await setShopAddress(database.db, shop, address)
    const outcome = address.length === 0 ? 'has no address' : `has the address '${address.join(', ')}'`
    return say(terminal, `${shopName} ${outcome} on receipts now`)
  },

  async 'seller hide'({ shop, isHidden }, { database }, terminal) {
    const { shopName, isNew } = await database.unhurried(db => hideShop(db, shop, isHidden))
    const state = isHidden ? 'hidden with its products' : 'shown with its products'
    if (!isNew) return say(terminal, `${shopName} is ${state} already`)
    const { toShipCount } = await readShop(database.db, shop)
    const rest = isHidden && toShipCount > 0 ? `; it still has ${many(toShipCount, 'order')} to ship` : ''
    return say(terminal, `${shopName} is ${state} now${rest}`)
  },

  async 'seller remove'({ shop, isConfirmed }, { database }, terminal) {
    if (!isConfirmed) {
      const remains = await measureShop(database.db, await findSeller(database.db, shop))
      throw new UnconfirmedError(`This removes ${describeRemains(remains)}`)
    }
    const remains = await database.unhurried(db => removeShop(db, shop))
    return say(terminal, `Removed ${describeRemains(remains)}`)
  },

  async 'seller verify'({ shop, isVerified }, { database }, terminal) {
    const { shopName } = await changeSeller(database.db, shop, { isVerified })
    return say(terminal, `${shopName} is ${isVerified ? 'verified' : 'not verified'} now`)
  },

  async 'seller shipping'({ shop, rates, handlingDays, transitDays }, { database: { db } }, terminal) {
    const { shopName, ...seller } = await changeShipping(db, shop, { rates, handlingDays, transitDays })
    return say(terminal, `${shopName} ships to ${describeRates(seller.shippingRates)}${describeDays(seller)}`)
  },

  async 'seller refund-shipping'({ shop, refundsShipping }, { database }, terminal) {
    const { shopName } = await changeSeller(database.db, shop, { refundsShipping })
    const what = refundsShipping ? 'refunds' : 'keeps'
    return say(terminal, `${shopName} ${what} the shipping of returned orders that are placed from now on`)
  },

  async 'seller ai'({ shop, hasAi }, { database }, terminal) {
    const { shopName } = await changeSeller(database.db, shop, { hasAi })
    return say(terminal, `${shopName} ${hasAi ? 'answers automatically' : 'answers by hand'} now`)
  },

  async 'seller token'({ shop }, context, terminal) {
    return say(terminal, (await issueToken(context, shop)).token)
  },

  async 'seller revoke'({ shop }, { database, sellerTokens }, terminal) {
    const { id } = await findSeller(database.db, shop)
    const { shopName } = await sellerTokens.revoke(id)
    return say(terminal, `${shopName} needs a new token now`)
  },

  async 'seller line'({ shop }, context, terminal) {
    const { address } = context
    if (!address) throw new ConflictError('No shop is running on this data: start it with npm start')
    const line: SellerAccess = { url: address, ...(await issueToken(context, shop)) }
    return say(terminal, JSON.stringify(line))
  },
} satisfies Partial<Handlers>

async function issueToken({ database, sellerTokens }: AppContext, shop: string): Promise<Omit<SellerAccess, 'url'>> {
  const seller = await findSeller(database.db, shop)
  const { id, token, shopName } = await sellerTokens.issue(seller.id)
  return { token, sellerId: id, shopName }
}
