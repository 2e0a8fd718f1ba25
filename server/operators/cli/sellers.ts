import type { Command } from '@commander-js/extra-typings'
import type { SendCommand, Talk } from './command.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { readDays, readTransitDays } from './shipment-values.ts'
import { UsageError, readAddress, readEmail, readLimit, readRates, readShopName } from './values.ts'

const SHOP = ['<shop>', 'Its key or name'] as const

/** Adds the commands for shops. */
export function addSellerCommands(market: Command, sendCommand: SendCommand, talk: Talk): void {
  const seller = market.command('seller').description('Look after shops')
  addShopCommands(seller, sendCommand)
  addShippingCommands(seller, sendCommand)
  addChatCommands(seller, sendCommand, talk)
}

function addShopCommands(seller: Command, sendCommand: SendCommand): void {
  seller
    .command('add')
    .description('Open a shop')
    .argument('<name>', 'What shoppers read')
    .option('--description <text>', 'What the shop says of itself')
    .option('--verified', 'The shop is known to be who it says')
    .option('--email <address>', 'Address for mails about the shop’s paid orders')
    .action((name, { description = '', verified = false, email }) =>
      sendCommand({
        name: 'seller add',
        shopName: readShopName('name', name),
        description: description.trim(),
        isVerified: verified,
        email: email === undefined ? undefined : readEmail(email),
      }),
    )
  seller
    .command('list')
    .description('List shops: key, name, products, orders to ship')
    .argument(...TEXT)
    .option(...LIMIT)
    .action((text = '', { limit }) => sendCommand({ name: 'seller list', text, limit: readLimit(limit) }))
  seller
    .command('show')
    .description('Show one shop')
    .argument(...SHOP)
    .action(shop => sendCommand({ name: 'seller show', shop }))
  seller
    .command('rename')
    .description('Rename a shop; its key stays')
    .argument(...SHOP)
    .argument('<name>', 'What shoppers read from now on')
    .action((shop, name) => sendCommand({ name: 'seller rename', shop, shopName: readShopName('name', name) }))
  seller
    .command('email')
    .description('Set the address for mails about a shop’s paid orders')
    .argument(...SHOP)
    .argument('[address]', 'shop@example.com')
    .option('--none', 'Send no mails')
    .action((shop, address, { none = false }) => {
      if ((address === undefined) !== none) throw new UsageError('Give an address such as shop@example.com, or --none')
      return sendCommand({ name: 'seller email', shop, email: address === undefined ? null : readEmail(address) })
    })
  seller
    .command('address')
    .description('Set a shop’s postal address, for receipts, invoices and returns')
    .argument(...SHOP)
    .argument('[lines...]', '"Kiln Lane 4" "10115 Berlin" Germany')
    .option('--none', 'Remove the address')
    .action((shop, lines, { none = false }) => {
      if ((lines.length === 0) !== none)
        throw new UsageError('Give the lines of an address such as "Kiln Lane 4" "10115 Berlin" Germany, or --none')
      return sendCommand({ name: 'seller address', shop, address: readAddress(lines) })
    })
  seller
    .command('hide')
    .description('Hide a shop and its products; its orders continue')
    .argument(...SHOP)
    .option('--off', 'Show it again')
    .action((shop, { off }) => sendCommand({ name: 'seller hide', shop, isHidden: !off }))
  seller
    .command('remove')
    .description('Remove a shop with its products and chats for good; orders stay')
    .argument(...SHOP)
    .option(...YES)
    .action((shop, { yes: isConfirmed = false }) => sendCommand({ name: 'seller remove', shop, isConfirmed }))
  seller
    .command('verify')
    .description('Give a shop the badge')
    .argument(...SHOP)
    .option('--off', 'Take the badge away')
    .action((shop, { off }) => sendCommand({ name: 'seller verify', shop, isVerified: !off }))
}

function addShippingCommands(seller: Command, sendCommand: SendCommand): void {
  seller
    .command('shipping')
    .description('Set a shop’s default rates in USD, and how long its parcels take: Kenya=5 "United States=12.50"')
    .argument(...SHOP)
    .argument('[rates...]', 'Kenya=5 Nigeria=7.5 …')
    .option('--none', 'Ship nowhere')
    .option('--handling <days>', 'Days from the payment until a parcel leaves: 1-2')
    .option('--days <days...>', 'Days that a parcel travels: 3-6, or by country: Kenya=3-6 Ghana=5-9')
    .action((shop, rates, { none = false, handling, days }) => {
      const hasDays = handling !== undefined || days !== undefined
      if ((rates.length > 0 && none) || (rates.length === 0 && !none && !hasDays))
        throw new UsageError('Give rates such as Kenya=5, or --none')
      return sendCommand({
        name: 'seller shipping',
        shop,
        rates: rates.length > 0 || none ? readRates(rates) : undefined,
        handlingDays: handling === undefined ? undefined : readDays('--handling', handling),
        transitDays: days && readTransitDays(days),
      })
    })
  seller
    .command('refund-shipping')
    .description('Refund shipping when a customer returns all of a shop’s part (the default)')
    .argument(...SHOP)
    .option('--off', 'Keep the shipping')
    .action((shop, { off }) => sendCommand({ name: 'seller refund-shipping', shop, refundsShipping: !off }))
}

function addChatCommands(seller: Command, sendCommand: SendCommand, talk: Talk): void {
  seller
    .command('ai')
    .description('Turn on automated replies in a shop’s chat')
    .argument(...SHOP)
    .option('--off', 'Answer by hand')
    .action((shop, { off }) => sendCommand({ name: 'seller ai', shop, hasAi: !off }))
  seller
    .command('token')
    .description('Print a token for the seller’s side of the chat, valid for 90 days')
    .argument(...SHOP)
    .option('--revoke', 'Revoke all tokens of the shop')
    .action((shop, { revoke }) => sendCommand({ name: revoke ? 'seller revoke' : 'seller token', shop }))
  seller
    .command('chat')
    .description('Talk to a shop’s customers in this terminal')
    .argument(...SHOP)
    .action(shop => talk(shop))
}
