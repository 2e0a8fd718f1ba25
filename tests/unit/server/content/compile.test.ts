import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETURN_DAYS } from '#contract/rules.ts'
import { type Compiled, compilePolicies } from '#server/content/compile.ts'

const NOW = new Date('2025-06-30T12:00:00Z')
const FRONT_MATTER = '---\ntitle: Terms\ndescription: Rules\nupdated: 2025-06-30\n---\n'
const CANNOT_BE_SHOWN =
  'is not a picture that can be shown (JPEG, PNG, WebP, AVIF, GIF or SVG), or is damaged, or more than 16,383 pixels high'
/** The first line number below `FRONT_MATTER`. */
const FIRST = 6

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'piazza-content-'))
})

afterAll(() => rm(root, { recursive: true }))

async function compile(files: Record<string, string | Buffer>): Promise<Compiled> {
  const folder = await mkdtemp(join(root, 'pages-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return compilePolicies({ folder, now: NOW })
}

/** The mistakes of `terms-of-use.md` as `line: text`; expects none in other files. */
async function mistakesOf(text: string | Buffer, others: Record<string, string | Buffer> = {}): Promise<string[]> {
  const { mistakes } = await compile({ 'terms-of-use.md': text, ...others })
  return [...mistakes].flatMap(([file, lines]) => {
    expect(file).toMatch(/terms-of-use\.md$/)
    return lines.map(line => line.slice(line.indexOf('.md:') + '.md:'.length))
  })
}

test('a page says the shop’s own days, and names no rule that the shop does not have', async () => {
  const { policies } = await compile({ 'terms-of-use.md': `${FRONT_MATTER}Return it in %RETURN_DAYS% days.\n` })
  expect(JSON.stringify(policies)).toContain(`Return it in ${RETURN_DAYS} days.`)
  expect(await mistakesIn('Return it in %RETURN_YEARS% years.')).toEqual([
    `${FIRST}: %RETURN_YEARS% is no rule of the shop: it knows REFUND_DAYS, RETURN_ANSWER_DAYS, RETURN_DAYS, RETURN_SEND_DAYS`,
  ])
})

const mistakesIn = (body: string, others?: Record<string, string | Buffer>) =>
  mistakesOf(`${FRONT_MATTER}${body}\n`, others)

const PLAIN = { channels: 3, background: '#c40' } as const
const drawing = () =>
  sharp({ create: { ...PLAIN, width: 900, height: 300 } })
    .png()
    .toBuffer()

describe('the content check accepts', () => {
  test.each([
    'Text with [a page](/returns), [a heading](/returns#how-to-return) and [one here](#who).\n\n## Who?',
    '[Shops](/stores), [a category](/products?category=Bags), [a product](/product/details/kite) and [the icon](/favicon.svg).',
    '[Elsewhere](https://piazza.example/a_(b)), [mail](mailto:us@piazza.example?subject=Hi), [phone](tel:+39-055-1234).',
    'By [reference][shops].\n\n[shops]: /stores',
    'H<sub>2</sub>O<br>\n<!-- a note\nfor editors -->\n\n<details>\n<summary>More</summary>\n\nText.\n\n</details>',
    'Text of `[a][b]`, `<script>` and an [x] in brackets.\n\n```\n<iframe>\n##Title\n```',
    '#1 of [x] (and [y](/stores)), 5 ## 3.[^1] `##Code` -\u00a05 °C\n\n[^1]: A note.',
    '| a | b |\n|---|---|\n| 1 | 2 |',
  ])('%j', async body => {
    const returns = `${FRONT_MATTER}## How to return\n\nText.\n`
    expect(await mistakesIn(body, { 'returns.md': returns })).toEqual([])
  })
})

test('files that programs leave beside the page being edited are no pages', async () => {
  const folder = await mkdtemp(join(root, 'pages-'))
  await mkdir(join(folder, '.trash'))
  for (const name of ['terms-of-use.md', '~$terms-of-use.md', '._terms-of-use.md', '.trash/old.md'])
    await writeFile(join(folder, name), name === 'terms-of-use.md' ? `${FRONT_MATTER}Text.\n` : '\0')
  await symlink('editor@desk.1234:5678', join(folder, '.#terms-of-use.md'))

  const { policies, mistakes } = await compilePolicies({ folder, now: NOW })

  expect([...mistakes.values()]).toEqual([])
  expect(policies.map(({ id }) => id)).toEqual(['terms-of-use'])
})

describe('the content check rejects', () => {
  test.each([
    ['[a](/nowhere)', 'there is no page /nowhere'],
    ['[a](/Returns)', 'there is no page /Returns'],
    ['[a](/404)', 'there is no page /404'],
    ['[a](/500)', 'there is no page /500'],
    ['[a](/503)', 'there is no page /503'],
    ['[a](/api/health)', 'there is no page /api/health'],
    ['[a](/returns#never)', '/returns has no heading with the address #never'],
    ['[a](#never)', '/terms-of-use has no heading with the address #never'],
    ['[a](/stores#first)', '/stores is not written in Markdown, so that nothing on it can be linked to with #'],
    ['[a](returns.md)', 'returns.md is a file: link to its page, /returns'],
    ['[a](./returns.md#how)', './returns.md#how is a file: link to its page, /returns'],
    ['[a](www.piazza.example)', 'www.piazza.example starts neither with https:// nor with /'],
    ['[a](returns)', 'returns starts neither with https:// nor with /'],
    ['[a](//piazza.example)', "//piazza.example is no address: write https:// before another site's name"],
    ['[a](/\\piazza.example)', "/\\piazza.example is no address: write https:// before another site's name"],
    ['[a](https://)', 'https:// is not a complete address'],
    ['[a](mailto:us)', 'mailto:us has no email address'],
    ['[a](tel:us)', 'tel:us has no telephone number'],
    ['[a](/%zz)', '/%zz has a % that stands for nothing'],
    ['[a]()', 'the link leads nowhere: put an address between its parentheses'],
    ['[a](#)', 'the link leads nowhere: put an address between its parentheses'],
    ['[](/stores)', 'the link has no text'],
    ['[a](javascript:alert(1))', 'a link must not start with javascript: (only https:, http:, mailto: and tel:)'],
    ['[a](JavaScript&colon;alert(1))', 'a link must not start with javascript: (only https:, http:, mailto: and tel:)'],
    ['[a](data:text/html,x)', 'a link must not start with data: (only https:, http:, mailto: and tel:)'],
    ['[a][b]\n\n[b]: data:x\n[b]: /', 'a link must not start with data: (only https:, http:, mailto: and tel:)'],
    ['[a][b]', '[a][b] is not a link: nothing below defines its address'],
    ['[a](/two words)', '[a]( is not a link: write [text](/address) without blanks in it'],
  ])('the link %s', async (link, mistake) => {
    expect(await mistakesIn(`Text.\n\nMore text with ${link}`, { 'returns.md': `${FRONT_MATTER}Text.\n` })).toEqual([
      `${FIRST + 2}: ${mistake}`,
    ])
  })

  test.each([
    ['<script>alert(1)</script>', '<script> is not shown on the page: write it in Markdown'],
    ['<iframe src="/stores"></iframe>', '<iframe> is not shown on the page: write it in Markdown'],
    ['<style>p { color: red }</style>', '<style> is not shown on the page: write it in Markdown'],
    ['Text <font color="red">red</font>', '<font> is not shown on the page: write it in Markdown'],
    ['<img src="map.png">', '<img> is not shown on the page: write it in Markdown'],
    ['Text <br class="x"> text', '<br> must have no attributes (className)'],
    ['<br onclick="alert(1)">', '<br> must have no attributes (onClick)'],
    ['<!-- open\n\nText', 'the comment never ends, so that nothing after it is shown: end it with -->'],
    ['<?php echo 1 ?>', '<?php echo 1… is not shown on the page'],
  ])('the HTML %s', async (html, mistake) => {
    expect(await mistakesIn(`Text.\n\n${html}`)).toEqual([`${FIRST + 2}: ${mistake}`])
  })

  test('HTML, with its line', async () => {
    expect(await mistakesIn('Text.\n\n<details>\n<summary>\n<object></object>\n</summary>\n</details>')).toEqual([
      `${FIRST + 4}: <object> is not shown on the page: write it in Markdown`,
    ])
  })

  test.each([
    ['##Title', '## makes no heading: write an ordinary space after it'],
    ['Text\n##\u00a0Title', '## makes no heading: write an ordinary space after it', 1],
    ['- #\u00a0Title', '# makes no heading: write an ordinary space after it'],
    ['-\u00a0One\nmore', '- makes no list: write an ordinary space after it'],
    ['See [a] (/stores).', '[a] ( is not a link: write [text](/address) without blanks in it'],
    ['Text.\\[^1]\n\n[^1]: Note', '[^1] is not a footnote: write it without \\, and its text below, after [^1]:'],
    ['Text.[^1]', '[^1] is not a footnote: write it without \\, and its text below, after [^1]:'],
  ])('the slip %j', async (slip, mistake, below = 0) => {
    expect(await mistakesIn(`Text.\n\n${slip}`)).toEqual([`${FIRST + 2 + below}: ${mistake}`])
  })

  test.each([
    ['![a map](map.png)', 'there is no picture map.png'],
    ['![a map](./Drawing.PNG)', 'there is no picture ./Drawing.PNG'],
    ['![a map](../../../../etc/hostname)', 'there is no picture ../../../../etc/hostname'],
    ['![a map](/nowhere.png)', 'there is no picture /nowhere.png'],
    ['![a map](broken.png)', `broken.png ${CANNOT_BE_SHOWN}`],
    ['![a map](cut.jpg)', `cut.jpg ${CANNOT_BE_SHOWN}`],
    ['![a map](tall.png)', `tall.png ${CANNOT_BE_SHOWN}`],
    [
      '![a map](https://a.example/map.png)',
      'https://a.example/map.png is not a file of this shop: save the picture beside the page',
    ],
    [
      '![a map](//a.example/map.png)',
      '//a.example/map.png is not a file of this shop: save the picture beside the page',
    ],
    ['![a map]()', 'the picture has no address'],
    ['![](drawing.png)', 'the picture has no description: ![what it shows](address)'],
    ['![ ](drawing.png)', 'the picture has no description: ![what it shows](address)'],
  ])('the picture %s', async (picture, mistake) => {
    const photo = await sharp({ create: { ...PLAIN, width: 900, height: 300 } })
      .jpeg()
      .toBuffer()
    const others = {
      'drawing.png': await drawing(),
      'broken.png': 'no picture',
      'cut.jpg': photo.subarray(0, photo.length / 2),
      'tall.png': await sharp({ create: { ...PLAIN, width: 100, height: 17_000 } })
        .png()
        .toBuffer(),
    }
    expect(await mistakesIn(`Text.\n\n${picture}`, others)).toEqual([`${FIRST + 2}: ${mistake}`])
  })

  test.each(['', '\n\n', '<!-- later -->', '[a]: /stores', '---'])('a page without text: %j', async body => {
    expect(await mistakesIn(body)).toEqual(['5: there is no text below the front matter'])
  })

  test('conflict marks on any line', async () => {
    const keepOne = 'is a conflict mark: keep one version and delete the marks'
    expect(await mistakesIn('<<<<<<< HEAD\nOne\n=======\nOther\n>>>>>>> branch')).toEqual([
      `6: <<<<<<< ${keepOne}`,
      `8: ======= ${keepOne}`,
      `10: >>>>>>> ${keepOne}`,
    ])
    expect((await mistakesOf(FRONT_MATTER.replace('title: Terms', '<<<<<<< HEAD\ntitle: Terms')))[0]).toBe(
      `2: <<<<<<< ${keepOne}`,
    )
  })

  test('files that are not UTF-8', async () => {
    const latin = Buffer.from(`${FRONT_MATTER}Text.\n\nCaff\xE8\n`, 'latin1')
    expect(await mistakesOf(latin)).toEqual(['8: not UTF-8: save the file as UTF-8'])
    expect(await mistakesOf(Buffer.from(`\uFEFF${FRONT_MATTER}Text.\n`, 'utf16le'))).toEqual([
      '1: not UTF-8: save the file as UTF-8',
    ])
  })

  test('dates that do not exist or are in the future, except today in the Pacific', async () => {
    const dated = (day: string) => `${FRONT_MATTER.replace('2025-06-30', day)}Text.\n`
    expect(await mistakesOf(dated('2025-06-31'))).toEqual(['4: updated: there is no date 2025-06-31'])
    expect(await mistakesOf(dated('2025-07-02'))).toEqual(['4: updated: 2025-07-02 lies ahead'])
    expect(await mistakesOf(dated('2025-07-01'))).toEqual([])
  })

  test.each([
    ['cart.md', 'the shop has another page at /cart, which hides this one: rename the file'],
    ['api.md', 'the shop has another page at /api, which hides this one: rename the file'],
    ['terms.md', 'the shop has another page at /terms, which hides this one: rename the file'],
    ['404.md', 'the shop has another page at /404, which hides this one: rename the file'],
    ['Care.md', 'the file name must be lower-case letters, digits and hyphens, then .md'],
    ['my care.md', 'the file name must be lower-case letters, digits and hyphens, then .md'],
    ['care.mdx', 'the file name must be lower-case letters, digits and hyphens, then .md'],
    ['help/care.md', 'a page must lie in src/content/policies itself, not in a folder there'],
  ])('the file name %s', async (name, mistake) => {
    const { mistakes } = await compile({ [name]: `${FRONT_MATTER}Text.\n` })
    expect([...mistakes.values()].flat()).toEqual([expect.stringMatching(/\.mdx?:1: /)])
    expect([...mistakes.values()].flat()[0]).toContain(mistake)
  })

  test.each([
    ['footer: bottom', 'footer: must be about, help or none'],
    ['order: first', 'order: must be a whole number'],
  ])('the front matter %s', async (line, mistake) => {
    expect(await mistakesOf(FRONT_MATTER.replace(/---\n$/, `${line}\n---\nText.\n`))).toEqual([`5: ${mistake}`])
  })

  test('all mistakes of a file, in the order of their lines', async () => {
    expect(await mistakesIn('[a]()\n\n![](b.png)')).toEqual([
      '6: the link leads nowhere: put an address between its parentheses',
      '8: the picture has no description: ![what it shows](address)',
      '8: there is no picture b.png',
    ])
  })
})

describe('a compiled page', () => {
  const compileOne = async (body: string) => {
    const { policies, mistakes } = await compile({
      'terms-of-use.md': `${FRONT_MATTER}${body}\n`,
      'drawing.png': await drawing(),
    })
    expect([...mistakes.values()]).toEqual([])
    return policies[0]!
  }

  test('has its pictures in two widths, with size and description', async () => {
    const { html } = await compileOne('![A drawing](drawing.png)')
    expect(html).toMatch(/<img src="(\/content\/\w{16}-640\.webp)" alt="A drawing"/)
    expect(html).toMatch(/srcset="\/content\/\w{16}-640\.webp 640w, \/content\/\w{16}-900\.webp 900w"/)
    expect(html).toContain('width="900" height="300"')
  })

  test('has scrollable tables, headings with ids, and no comments', async () => {
    const { html } = await compileOne('## Who may buy?\n\n<!-- note -->\n\n| a | b |\n|---|---|\n| 1 | 2 |')
    expect(html).toContain('<h2 id="who-may-buy">')
    expect(html).toMatch(/<div tabindex="0" role="group" aria-label="Table">\s*<table>/)
    expect(html).not.toContain('note')
  })

  test('closes HTML elements that were left open', async () => {
    const { html } = await compileOne('<details><summary>More</summary>\n\nText.')
    expect(html.match(/<\/details>/g)).toHaveLength(1)
  })

  test('is sorted in the footer by its front matter, by default last under help', async () => {
    const { policies } = await compile({
      'z.md': `${FRONT_MATTER}Text.\n`,
      'b.md': `${FRONT_MATTER.replace(/---\n$/, 'order: 2\n---\n')}Text.\n`,
      'a.md': `${FRONT_MATTER.replace(/---\n$/, 'footer: about\norder: 1\n---\n')}Text.\n`,
    })
    expect(policies.map(({ id, footer }) => `${footer} ${id}`)).toEqual(['about a', 'help b', 'help z'])
  })
})
