import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { FORMATS, UNTRACKED_STOCK } from '#server/catalogue/files/import/read-options.ts'
import type { SendCommand } from './command.ts'
import { formatOf, UsageError, readRate, readRates, readRatesFile, readShopName, readUnits } from './values.ts'

/** Adds the command that imports a catalogue file. */
export function addImport(market: Command, sendCommand: SendCommand): void {
  market
    .command('import')
    .description('Read a catalogue file of Shopify, WooCommerce, Google Merchant or our own')
    .argument('<file>', 'The file; - is standard input')
    .option('--dry-run', 'Report what the import would do, without changing anything')
    .option('--format <format>', `By default detected from the file: ${FORMATS.join(', ')}`)
    .option('--shop <name>', 'Put all products into this shop, whoever their vendor is')
    .option(
      '--rate <usd>',
      'What one unit of the file’s currency is worth in USD, such as 0.095, to convert its prices',
    )
    .option('--stock <n>', 'Units of each variant that the file does not count')
    .option(
      '--untracked-stock <n>',
      'Units of each new variant that the file does not count; known ones keep theirs',
      String(UNTRACKED_STOCK),
    )
    .option('--shipping <rates>', 'Default rates of its shops in USD, such as Kenya=5,Nigeria=7.5, or a file of them')
    .option('--images <folder>', 'Take pictures from a folder, by file name')
    .option('--no-pictures', 'Leave pictures for later')
    .action(async (file, options) => {
      const { format, shop, rate, stock, shipping, images } = options
      await sendCommand(
        {
          name: 'import',
          isDryRun: options.dryRun === true,
          format: format === undefined ? undefined : formatOf(format, FORMATS),
          shop: shop === undefined ? undefined : readShopName('--shop', shop),
          rate: rate === undefined ? undefined : readRate('--rate', rate),
          stock: stock === undefined ? undefined : readUnits('--stock', stock),
          untrackedStock: readUnits('--untracked-stock', options.untrackedStock),
          shipping: shipping === undefined ? undefined : await readShipping(shipping),
          images: images === undefined ? undefined : resolve(images),
          hasPictures: options.pictures,
        },
        file,
      )
    })
}

async function readShipping(given: string) {
  if (given.includes('=')) return readRates(given.split(',').map(rate => rate.trim()))
  const text = await readFile(given, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    const reason = isMissing ? `'${given}' is neither rates such as Kenya=5 nor a file` : error.message
    throw new UsageError(`--shipping: ${reason}`, { cause: error })
  })
  return readRatesFile(text, given)
}
