import { describe, expect, test } from 'vitest'
import { defineMarket } from '#server/operators/cli/commands.ts'
import type { Command } from '#server/operators/cli/command.ts'

/** The command that is sent to the shop for these words. */
async function typed(words: string[]): Promise<{ command: Command; file?: string | undefined }> {
  let given: { command: Command; file?: string | undefined } | undefined
  const talk = async (shop: string) => void (given = { command: { name: 'seller line', shop } })
  const restoreArchive = (file: string) => Promise.reject(new Error(`would restore ${file}`))
  const publish = (folder?: string) => Promise.reject(new Error(`would publish ${folder}`))
  const sendCommand = async (command: Command, file?: string) => void (given = { command, file })
  const market = defineMarket({ sendCommand, talk, restoreArchive, publish }, { writeErr: () => undefined })
  await market.parseAsync(words, { from: 'user' })
  return given!
}

const ORDER_LIST = { name: 'order list', status: 'all', isToShip: false, isCsv: false, limit: 100_000 }

describe('command words', () => {
  test.each([
    [
      'product set mug price=12.50 discount=7.5 stock=0 hidden=false',
      { name: 'product set', slug: 'mug', changes: { priceCents: 1250, discount: 7.5, stock: 0, isHidden: false } },
    ],
    ['media move', { name: 'media move', isRemoving: false }],
    ['media move --delete', { name: 'media move', isRemoving: true }],
    ['export', { name: 'export', format: 'json' }],
    ['export --format=shopify', { name: 'export', format: 'shopify' }],
    ['seller verify clay --off', { name: 'seller verify', shop: 'clay', isVerified: false }],
    [
      'seller shipping clay kenya=5 Ghana=7.5',
      { name: 'seller shipping', shop: 'clay', rates: { Kenya: 500, Ghana: 750 } },
    ],
    [
      'seller shipping clay --handling 1-2 --days 3-6 kenya=2',
      { name: 'seller shipping', shop: 'clay', handlingDays: [1, 2], transitDays: { '': [3, 6], Kenya: [2, 2] } },
    ],
    ['seller shipping clay --none', { name: 'seller shipping', shop: 'clay', rates: {} }],
    ['seller ai clay', { name: 'seller ai', shop: 'clay', hasAi: true }],
    ['seller ai clay --off', { name: 'seller ai', shop: 'clay', hasAi: false }],
    ['seller token clay', { name: 'seller token', shop: 'clay' }],
    ['seller token clay --revoke', { name: 'seller revoke', shop: 'clay' }],
    ['seller chat clay', { name: 'seller line', shop: 'clay' }],
    ['backup /shop.tar.gz', { name: 'backup', file: '/shop.tar.gz' }],
    ['search synonyms', { name: 'search synonyms', isReplacing: false }],
    ['search synonyms words.txt', { name: 'search synonyms', isReplacing: true }],
    ['order list', { ...ORDER_LIST, limit: 20 }],
    ['order list --status pending --limit 5', { ...ORDER_LIST, status: 'pending', limit: 5 }],
    ['order list --csv --shop clay', { ...ORDER_LIST, isCsv: true, shop: 'clay' }],
    ['order list --to-ship', { ...ORDER_LIST, isToShip: true }],
    [
      'order list --since 2026-01-01 --before 2026-02-01T08:00:00.123Z',
      {
        ...ORDER_LIST,
        limit: 20,
        since: new Date('2026-01-01T00:00:00Z'),
        before: new Date('2026-02-01T08:00:00.123Z'),
      },
    ],
    [
      'return list --since 2026-01-01',
      { name: 'return list', isAll: false, limit: 100_000, since: new Date('2026-01-01T00:00:00Z') },
    ],
    ['seller list', { name: 'seller list', text: '', limit: 20 }],
    ['seller list clay --limit 500', { name: 'seller list', text: 'clay', limit: 500 }],
    ['seller show clay', { name: 'seller show', shop: 'clay' }],
    ['seller rename clay Kiln', { name: 'seller rename', shop: 'clay', shopName: 'Kiln' }],
    ['seller email clay A@x.test', { name: 'seller email', shop: 'clay', email: 'a@x.test' }],
    [
      'seller address clay 4_Kiln_Lane Germany',
      { name: 'seller address', shop: 'clay', address: ['4_Kiln_Lane', 'Germany'] },
    ],
    ['seller address clay --none', { name: 'seller address', shop: 'clay', address: [] }],
    ['review reports', { name: 'review reports', isAll: false, limit: 20 }],
    ['review dismiss 0198', { name: 'review dismiss', id: '0198' }],
    ['review answer 0198 Thanks', { name: 'review answer', id: '0198', answer: 'Thanks' }],
    ['seller email clay --none', { name: 'seller email', shop: 'clay', email: null }],
    ['seller hide clay', { name: 'seller hide', shop: 'clay', isHidden: true }],
    ['seller hide clay --off', { name: 'seller hide', shop: 'clay', isHidden: false }],
    ['seller remove clay', { name: 'seller remove', shop: 'clay', isConfirmed: false }],
    ['seller remove clay --yes', { name: 'seller remove', shop: 'clay', isConfirmed: true }],
    ['product list', { name: 'product list', text: '', isHiddenOnly: false, limit: 20 }],
    [
      'product list mug --shop clay --hidden',
      { name: 'product list', text: 'mug', shop: 'clay', isHiddenOnly: true, limit: 20 },
    ],
    ['product show mug', { name: 'product show', slug: 'mug' }],
    ['product remove mug --yes', { name: 'product remove', slug: 'mug', isConfirmed: true }],
    ['customer list ada', { name: 'customer list', text: 'ada', limit: 20 }],
    ['customer show ada@x.test', { name: 'customer show', email: 'ada@x.test' }],
    ['customer block ada@x.test', { name: 'customer block', email: 'ada@x.test', isBlocked: true }],
    ['customer block ada@x.test --off', { name: 'customer block', email: 'ada@x.test', isBlocked: false }],
    ['customer erase ada@x.test --yes', { name: 'customer erase', email: 'ada@x.test', isConfirmed: true }],
    ['review list mug', { name: 'review list', slug: 'mug', limit: 20 }],
    ['review show 0198', { name: 'review show', id: '0198' }],
    ['review hide 0198', { name: 'review hide', id: '0198', isHidden: true }],
    ['review hide 0198 --off', { name: 'review hide', id: '0198', isHidden: false }],
    ['order show 0198', { name: 'order show', id: '0198' }],
    ['order ship 0198 --shop clay', { name: 'order ship', id: '0198', shop: 'clay' }],
    ['order deliver 0198', { name: 'order deliver', id: '0198' }],
    ['order deliver 0198 --shop clay --parcel 2', { name: 'order deliver', id: '0198', shop: 'clay', parcel: 2 }],
    [
      'order ship 0198 --carrier DHL --tracking AB-12 --items mug=2 M/1',
      {
        name: 'order ship',
        id: '0198',
        carrier: 'DHL',
        trackingNumber: 'AB-12',
        items: [{ name: 'mug', quantity: 2 }, { name: 'M/1' }],
      },
    ],
    ['order cancel 0198', { name: 'order cancel', id: '0198' }],
    ['order refund 0198', { name: 'order refund', id: '0198' }],
    ['order refund 0198 --amount 12.50', { name: 'order refund', id: '0198', amountCents: 1250 }],
    ['return show 0198 --shop clay', { name: 'return show', id: '0198', shop: 'clay' }],
    ['seller refund-shipping clay', { name: 'seller refund-shipping', shop: 'clay', refundsShipping: true }],
    ['seller refund-shipping clay --off', { name: 'seller refund-shipping', shop: 'clay', refundsShipping: false }],
    ['user token ada@x.test', { name: 'user token', email: 'ada@x.test' }],
    ['notify Sale Today', { name: 'notify', title: 'Sale', message: 'Today', priority: 'medium' }],
    [
      'notify Sale Today --to ada@x.test --priority high --link /products',
      {
        name: 'notify',
        title: 'Sale',
        message: 'Today',
        to: 'ada@x.test',
        priority: 'high',
        link: '/products',
      },
    ],
    ['demo reset', { name: 'demo reset', isConfirmed: false }],
    ['demo reset --yes', { name: 'demo reset', isConfirmed: true }],
    ['doctor', { name: 'doctor', isListing: false }],
    ['doctor --list', { name: 'doctor', isListing: true }],
  ])('%s', async (words, command) => {
    expect((await typed(words.split(' '))).command).toEqual(command)
  })

  test('of an import name its file, its rates and its pictures', async () => {
    expect(
      await typed(['import', 'a.csv', '--shipping', 'Kenya=5, United States=7.5', '--images', '/pictures']),
    ).toEqual({
      file: 'a.csv',
      command: {
        name: 'import',
        isDryRun: false,
        untrackedStock: 100,
        shipping: { Kenya: 500, 'United States': 750 },
        images: '/pictures',
        hasPictures: true,
      },
    })
    const words = ['import', '-', '--dry-run', '--shop', ' Whole  House', '--rate', '0.095', '--stock=0']
    const { command } = await typed([...words, '--untracked-stock', '7'])
    expect(command).toMatchObject({ isDryRun: true, shop: 'Whole House', rate: 0.095, stock: 0, untrackedStock: 7 })
    expect((await typed(['import', '-', '--no-pictures', '--format', 'json'])).command).toMatchObject({
      format: 'json',
      hasPictures: false,
    })
  })
})

describe('invalid command words are rejected', () => {
  test.each([
    ['', '(outputHelp)'],
    ['seller', '(outputHelp)'],
    ['bake', "unknown command 'bake'"],
    ['seller shows', "unknown command 'shows'\n(Did you mean show?)"],
    ['product set', "missing required argument 'slug'"],
    ['product set x', 'Say what to change: price=… discount=… stock=… hidden=…'],
    ['product set x price=', 'price has no value behind ='],
    ['product set x price=1,299.00', "price '1,299.00' is not an amount such as 1299.00"],
    ['product set x price=-1', "price '-1' is not an amount such as 1299.00"],
    ['product set x price=1000000', "price '1000000' is more than 999999.99"],
    ['product set x price=90000000000000000', "price '90000000000000000' is more than 999999.99"],
    ['product set x stock=90000000000000000', "stock '90000000000000000' is more than 1000000000"],
    ['product set x price=1 price=2', 'price is given twice'],
    ['product set x discount=100.5', "discount '100.5' is not a percentage from 0 to 100 with at most four decimals"],
    ['product set x stock=1.5', "stock '1.5' is not a whole number from 0"],
    ['product set x hidden=perhaps', "hidden 'perhaps' is neither true nor false"],
    ['product set x weight=5', "'weight=5': a product has price, discount, stock, hidden"],
    ['product set x cheap', "'cheap' must look like name=value"],
    ['seller shipping x', 'Give rates such as Kenya=5, or --none'],
    ['seller shipping x --handling 3-2', "--handling '3-2' is not a range of days such as 3-6"],
    ['seller shipping x Kenia=5', "'Kenia' is not a country that the shop knows"],
    ['seller shipping x Kenya=5 kenya=6', 'Kenya is given twice'],
    ['order ship', "missing required argument 'order'"],
    ['order ship 0198 --tracking <b>', 'must be letters, digits, spaces and simple punctuation'],
    ['order ship 0198 --items mug=0', 'mug needs at least one unit'],
    ['order list --status lost', "--status 'lost' is none of all, placed, pending, cancelled"],
    ['order list --limit 0', "--limit '0' is not a number from 1 to 100000"],
    ['order list --to-ship --status pending', 'leave --status out with --to-ship'],
    ['order list --to-ship --since 2026-01-01', 'Leave --since and --before out with --to-ship'],
    ['order list --since yesterday', "--since 'yesterday' is neither a day such as 2026-01-31 nor a time"],
    ['return list --before 2026-02-30', "--before '2026-02-30' is neither a day such as 2026-01-31 nor a time"],
    ['seller rename clay', "missing required argument 'name'"],
    ['seller email clay', 'Give an address such as shop@example.com, or --none'],
    ['seller email clay a@x.test --none', 'Give an address such as shop@example.com, or --none'],
    ['seller email clay clay', "'clay' is not an email address such as shop@example.com"],
    ['seller add Clay --email clay', "'clay' is not an email address such as shop@example.com"],
    ['seller hide', "missing required argument 'shop'"],
    ['seller list --limit many', "--limit 'many' is not a number from 1 to 100000"],
    ['product remove', "missing required argument 'slug'"],
    ['product remove a b', 'too many arguments'],
    ['customer erase', "missing required argument 'email'"],
    ['customer block a@x.test --forever', "unknown option '--forever'"],
    ['review hide', "missing required argument 'id'"],
    ['order cancel 0198 0199', 'too many arguments'],
    ['seller verify', "missing required argument 'shop'"],
    ['notify Sale', "missing required argument 'message'"],
    ['notify Sale Today now', 'too many arguments'],
    [`notify ${'x'.repeat(101)} Today`, 'The title has 1 to 100 characters'],
    ['notify Sale Today --priority urgent', "--priority 'urgent' is none of high, medium, low"],
    [
      'notify Sale Today --link https://evil.example',
      "--link 'https://evil.example' is not a path of the shop such as /products",
    ],
    ['notify Sale Today --link javascript:alert(1)', "--link 'javascript:alert(1)' is not a path"],
    ['import a.csv b.csv', 'too many arguments'],
    ['import a.csv --format xml', "--format 'xml' is none of shopify, woocommerce, google, json"],
    ['import a.csv --shipping', "option '--shipping <rates>' argument missing"],
    ['import a.csv --shipping Kenya', "--shipping: 'Kenya' is neither rates such as Kenya=5 nor a file"],
    ['import a.csv --shipping /', '--shipping: EISDIR'],
    ['import a.csv --shop=', '--shop needs the name of a shop'],
    [`import a.csv --shop ${'x'.repeat(101)}`, '--shop is longer than 100 characters'],
    ...['0', '0.0', '-1', '0,095', '1e5', 'NaN', 'Infinity', '0x1'].map((rate): [string, string] => [
      `import a.csv --rate=${rate}`,
      `--rate '${rate}' is not what one unit of the file's currency is worth in US dollars, such as 0.095`,
    ]),
    ['import a.csv --rate 130', '(it looks like 130 units for a dollar, which is 0.007692)'],
    ['import a.csv --rate 25000', '(it looks like 25000 units for a dollar, which is 0.00004)'],
    ['import a.csv --stock many', "--stock 'many' is not a whole number from 0"],
    ['import a.csv --stock 10000000000', "--stock '10000000000' is more than"],
    ['import a.csv --untracked-stock=-1', "--untracked-stock '-1' is not a whole number from 0"],
    ['export --fast', "unknown option '--fast'"],
    ['restore /shop.tar.gz', 'would restore /shop.tar.gz'],
    ['restore', "missing required argument 'file'"],
    ['backup one two', 'too many arguments'],
    ['doctor now', 'too many arguments'],
    ['content publish here now', 'too many arguments'],
  ])('%s', async (words, reason) => {
    await expect(typed(words.split(' ').filter(Boolean))).rejects.toThrow(reason)
  })
})

test('an unknown command is followed by a hint, not by the list of all commands', async () => {
  const printed: string[] = []
  const nothing = () => Promise.resolve()
  const actions = { sendCommand: nothing, talk: nothing, restoreArchive: nothing, publish: nothing }
  const market = defineMarket(actions, { writeErr: text => void printed.push(text) })

  await expect(market.parseAsync(['docter'], { from: 'user' })).rejects.toThrow("unknown command 'docter'")
  expect(printed.join('')).toBe(
    "error: unknown command 'docter'\n(Did you mean doctor?)\n'npm run market -- --help' lists the commands\n",
  )
})

/** What the command line prints for these words. */
async function printed(words: string[]): Promise<string> {
  let out = ''
  const nothing = () => Promise.resolve()
  const actions = { sendCommand: nothing, talk: nothing, restoreArchive: nothing, publish: nothing }
  const market = defineMarket(actions, { writeOut: text => void (out += text) })
  await expect(market.parseAsync(words, { from: 'user' })).rejects.toThrow('(outputHelp)')
  return out
}

test('help shows the arguments of a command', async () => {
  const help = await printed(['product', 'set', '--help'])
  expect(help).toContain('Usage: market product set [options] <slug> [changes...]')
  expect(help).toContain('price=12.50 discount=10 stock=3 hidden=false')
})

test('help says what the lines of a CSV file of orders are', async () => {
  const help = await printed(['order', 'list', '--help'])
  expect(help.replace(/\s+/g, ' ')).toContain(
    'As a CSV file: a line for each order or, with --to-ship, for each product',
  )
})

test('the overall help lists every command on its own line', async () => {
  const help = await printed(['--help'])
  for (const name of [
    'import',
    'seller list',
    'product remove',
    'order list',
    'customer erase',
    'review hide',
    'doctor',
  ])
    expect(help).toMatch(new RegExp(`^  ${name} {2,}[A-Z]`, 'm'))
  expect(Math.max(...help.split('\n').map(line => line.length))).toBeLessThanOrEqual(100)
})
