import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { UNTRACKED_STOCK } from '#server/catalogue/files/import/read-options.ts'
import type { SendCommand } from './command.ts'
import { noMore } from './group.ts'
import { formatOf, UsageError, readRate, readRates, readRatesFile, readShopName, readUnits } from './values.ts'

/** Defines the command that imports a catalogue file. */
export function importing(sendCommand: SendCommand) {
  return defineCommand({
    meta: { name: 'import', description: 'Read a catalogue file: Shopify product CSV, or our own JSON' },
    args: {
      file: { type: 'positional', required: true, description: 'The file; - is standard input' },
      'dry-run': { type: 'boolean', description: 'Say what would come of it and change nothing' },
      format: { type: 'string', valueHint: 'shopify|json', description: 'By default told by the file' },
      shop: {
        type: 'string',
        valueHint: 'NAME',
        description: 'Put all products into this shop, whoever their vendor is',
      },
      rate: {
        type: 'string',
        valueHint: '0.095',
        description: 'What one unit of the file’s currency is worth in USD, to convert its prices',
      },
      stock: { type: 'string', valueHint: 'N', description: 'Units of each variant, if the file has no quantities' },
      'untracked-stock': {
        type: 'string',
        valueHint: 'N',
        default: String(UNTRACKED_STOCK),
        description: 'Units of each new variant, if the file has no quantities; known ones keep theirs',
      },
      shipping: {
        type: 'string',
        valueHint: 'Kenya=5,Nigeria=7.5|FILE',
        description: 'Default rates of its shops, in USD',
      },
      images: { type: 'string', valueHint: 'DIR', description: 'Take pictures from a folder, by file name' },
      pictures: {
        type: 'boolean',
        default: true,
        description: 'Fetch pictures',
        negativeDescription: 'Leave pictures for later',
      },
    },
    async run({ args }) {
      noMore(args._, 1)
      const { file, format, shop, rate, stock, shipping, images } = args
      await sendCommand(
        {
          name: 'import',
          isDryRun: args['dry-run'] === true,
          format: format === undefined ? undefined : formatOf(format),
          shop: shop === undefined ? undefined : readShopName('--shop', shop),
          rate: rate === undefined ? undefined : readRate('--rate', rate),
          stock: stock === undefined ? undefined : readUnits('--stock', stock),
          untrackedStock: readUnits('--untracked-stock', args['untracked-stock']),
          shipping: shipping === undefined ? undefined : await readShipping(shipping),
          images: images === undefined ? undefined : resolve(images),
          hasPictures: args.pictures,
        },
        file,
      )
    },
  })
}

async function readShipping(given: string) {
  if (given.includes('=')) return readRates(given.split(',').map(rate => rate.trim()))
  const text = await readFile(given, 'utf8').catch((error: Error) => {
    throw new UsageError(`--shipping: ${error.message}`, { cause: error })
  })
  return readRatesFile(text, given)
}
