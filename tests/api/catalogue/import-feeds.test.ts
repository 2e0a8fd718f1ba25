import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { importText, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { printFigure } from '#tests/support/faults/figures.ts'
import { watchThread } from '#tests/support/faults/watch-thread.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const HEAD =
  '<?xml version="1.0"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Feed</title>\n'
const rss = (...items: string[]) => `${HEAD}${items.join('\n')}\n</channel></rss>\n`
const item = (id: string, more = '') =>
  `<item><g:id>${id}</g:id><g:title>${id}</g:title><g:price>5 USD</g:price><g:quantity>1</g:quantity>${more}</item>`
const importFeed = (text: string | Buffer) => importText(db, text, { shop: 'Feed' })

describe('an XML file that could do harm', () => {
  const bomb = Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at};`.repeat(10)}">`).join('\n')

  test.each([
    [
      'whose entities multiply',
      `<?xml version="1.0"?>\n<!DOCTYPE rss [\n<!ENTITY lol0 "lol">\n${bomb}\n]>\n<rss><channel>${item('&lol9;')}</channel></rss>`,
      'the file declares entities: leave its DOCTYPE out',
    ],
    [
      'that names a file of the shop’s machine',
      `<!DOCTYPE rss [<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n${rss(item('x', '<g:brand>&secret;</g:brand>'))}`,
      'line 1: the file declares entities: leave its DOCTYPE out',
    ],
    [
      'that declares an entity outside a DOCTYPE',
      rss('<!ENTITY % all SYSTEM "https://elsewhere.example/all.dtd">'),
      'line 3: the file declares entities',
    ],
    [
      'with elements in elements without end',
      rss(`<item>${'<a>'.repeat(1_000_000)}`),
      'line 3: elements are nested more than 64 deep',
    ],
    [
      'with a comment without end',
      `${HEAD}<!--${'x'.repeat(17_000_000)}`,
      'line 3: a tag, comment or text is longer than 16 MB',
    ],
    [
      'with a tag of attributes without end',
      `${HEAD}<item ${'a="b" '.repeat(3_000_000)}`,
      'line 3: a tag has more than 1000 attributes',
    ],
    [
      'that declares Google’s namespace without end',
      rss(...Array.from({ length: 101 }, (_, at) => `<x xmlns:p${at}="http://base.google.com/ns/1.0"/>`)),
      'line 102: Google’s namespace has more than 100 prefixes',
    ],
    ['that ends within an item', rss(item('half')).slice(0, -40), 'line 3: the file ends before its last element does'],
    [
      'that ends within its feed',
      rss(item('whole')).slice(0, -10),
      'line 4: the file ends before its last element does',
    ],
    ['without any element', '<?xml version="1.0"?>\n', 'line 2: the file ends before its last element does'],
    [
      'of another kind',
      '<?xml version="1.0"?>\n<catalog><item/></catalog>',
      'The file is XML, but no product feed: it begins with <catalog>',
    ],
    ['that is a web page', '<?xml version="1.0"?>\n<html><body/></html>', 'The file is a web page, not a catalogue'],
  ])('%s is refused', async (_, text, reason) => {
    await expect(importFeed(text)).rejects.toThrow(reason)
  })

  test('that is not UTF-8 is rejected', async () => {
    await expect(importFeed(Buffer.from(rss(item('caf\u00e9')), 'latin1'))).rejects.toThrow('the text is not UTF-8')
  })

  test('whose DOCTYPE only names a document is read without it', async () => {
    const text = rss(item('doctype', '<g:brand>&unknown;</g:brand>'))
    const named = text.replace('<rss', '<!DOCTYPE rss SYSTEM "https://elsewhere.example/rss.dtd">\n<rss')
    expect(await importFeed(named)).toMatchObject({ added: 1, problems: [] })
    expect((await storedProduct(db, 'doctype')).brand).toBe('&unknown;')
  })
})

describe('an item of an XML feed', () => {
  test('is reported with its line, and those after it are imported', async () => {
    const description = `<g:description><![CDATA[${'x'.repeat(10_000_000)}]]></g:description>`
    const long = `<g:description>${'y'.repeat(100_001)}</g:description>`
    const text = rss(
      item('first'),
      item('endless', description),
      '',
      item('long', long),
      '<item>\n<g:id>open</g:id><g:title>Open<g:price>5 USD</g:price>\n</item>',
      '<item/>',
      item('many', '<a/>'.repeat(200_000)),
      item('last'),
    )
    const { added, problems } = await importFeed(text)
    expect(added).toBe(2)
    expect(problems.toSorted()).toEqual([
      'line 10: id is missing',
      'line 11: the item is longer than 1 MB',
      'line 4: the item is longer than 1 MB',
      'line 6: description is longer than 100000 characters',
      'line 7: <g:title> is not closed',
    ])
  })

  test('has the price of the product, not one of an element within an attribute', async () => {
    const shipping = '<g:shipping><g:country>US</g:country><g:price>99 USD</g:price></g:shipping>'
    const text = `<description><p>Short</p></description><title>Plain</title><constructor>x</constructor><c:glaze>blue</c:glaze>`
    const { warnings, problems } = await importFeed(rss(item('nested', shipping + text)))
    expect({ warnings, problems }).toEqual({
      problems: [],
      warnings: ["line 3: the element 'constructor' is not used", "line 3: the element 'c:glaze' is not used"],
    })
    expect(await storedProduct(db, 'nested')).toMatchObject({
      name: 'nested',
      finalCents: 500,
      description: '<p>Short</p>',
    })
  })

  test('is one of at most 2048 in its group, with at most 250 pictures', async () => {
    const items = Array.from({ length: 2049 }, (_, at) => {
      const size = `<g:item_group_id>many</g:item_group_id><g:size>${at}</g:size>`
      return item(`many-${at}`, `${size}<g:image_link>https://pictures.example/${at}.jpg</g:image_link>`)
    })
    const { added, problems } = await importFeed(rss(...items))
    expect({ added, problems }).toEqual({
      added: 1,
      problems: ['line 2051: many has more than 2048 items', 'line 253: many has more than 250 pictures'],
    })
  })

  test('is imported without a picture whose address cannot be used', async () => {
    const own = '<g:item_group_id>unseen</g:item_group_id><g:image_link>http://pictures.example/a.jpg</g:image_link>'
    expect(await importFeed(rss(item('unseen-1', own)))).toMatchObject({
      added: 1,
      problems: ["line 3: image_link 'http://pictures.example/a.jpg' is not an https address"],
    })
  })

  test('is read from pieces of any length', async () => {
    const text = Buffer.from(`\uFEFF${rss(item('größe', '<g:brand>Ä &amp; Ö</g:brand>'))}`)
    const read = Readable.from(Array.from(text, byte => Buffer.from([byte])))
    expect(await importText(db, '', { read, shop: 'Feed' })).toMatchObject({ added: 1, problems: [] })
    expect((await storedProduct(db, 'große')).brand).toBe('Ä & Ö')
  })
})

test('a feed on one line does not block the thread for long', { timeout: 60_000 }, async () => {
  const items = Array.from({ length: 30_000 }, (_, at) => item(`row-${at}`, '<g:brand>A &amp; B &lt; C</g:brand>'))
  const broken = items.map(text => text.replace('5 USD', 'free'))
  const { result, blockedMs } = await watchThread(() => importFeed(rss(broken.join(''))))

  printFigure('the thread beside a feed of 30,000 items on one line', `blocked ${blockedMs.toFixed(0)} ms`, '1000 ms')
  expect(result.problems).toHaveLength(30_000)
})
