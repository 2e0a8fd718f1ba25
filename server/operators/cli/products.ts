import type { Command } from '@commander-js/extra-typings'
import type { SendCommand } from './command.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { readChanges, readLimit } from './values.ts'

const SLUG = ['<slug>', 'The last part of the product’s address'] as const

/** Adds the commands for products. */
export function addProductCommands(market: Command, sendCommand: SendCommand): void {
  const product = market.command('product').description('Look after products')
  product
    .command('list')
    .description('List products by slug: price, stock, shop')
    .argument(...TEXT)
    .option('--shop <shop>', 'Only those of this shop: its key or name')
    .option('--hidden', 'Only those that shoppers do not see')
    .option(...LIMIT)
    .action((text = '', { shop, hidden: isHiddenOnly = false, limit }) =>
      sendCommand({ name: 'product list', text, shop, isHiddenOnly, limit: readLimit(limit) }),
    )
  product
    .command('show')
    .description('Show one product, and which orders and carts hold it')
    .argument(...SLUG)
    .action(slug => sendCommand({ name: 'product show', slug }))
  product
    .command('set')
    .summary('Change one product: price=12.50 discount=10 stock=3 hidden=false')
    .description(
      'Change one product. Without --variant, a discount applies to all its variants, a price to those that cost as much as the cheapest',
    )
    .argument(...SLUG)
    .argument('[changes...]', 'price=12.50 discount=10 stock=3 hidden=false')
    .option(
      '--variant <variant>',
      "Change only the variant with this SKU or title, such as 'Size Medium' or 'Medium / Blue'",
    )
    .action((slug, changes, { variant }) =>
      sendCommand({ name: 'product set', slug, variant, changes: readChanges(changes) }),
    )
  product
    .command('remove')
    .description('Remove one product with its reviews for good; orders keep it')
    .argument(...SLUG)
    .option(...YES)
    .action((slug, { yes: isConfirmed = false }) => sendCommand({ name: 'product remove', slug, isConfirmed }))
}
