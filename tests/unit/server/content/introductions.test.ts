import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilePolicies } from '#server/content/compile.ts'

const PAGE = '---\ntitle: Returns\ndescription: Rules\nupdated: 2025-06-30\n---\n## How to return\n\nText.\n'
const BAGS = '---\ncategory: Bags\nsummary: To carry things.\n---\n'

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'piazza-introductions-'))
})

afterAll(() => rm(root, { recursive: true }))

async function introductions(files: Record<string, string>) {
  const folder = join(await mkdtemp(join(root, 'content-')), 'policies')
  await mkdir(join(folder, '../categories'), { recursive: true })
  await mkdir(folder)
  await writeFile(join(folder, 'returns.md'), PAGE)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, '../categories', name), text)
  const compiled = await compilePolicies({ folder })
  return {
    ...compiled,
    lines: [...compiled.mistakes.values()].flat().map(line => line.replace(/^.*categories./, '')),
  }
}

describe('introductions of categories', () => {
  test('are rendered with their line above the products', async () => {
    const { introductions: found, lines } = await introductions({
      'bags.md': `${BAGS}See [returns](/returns#how-to-return).\n`,
    })

    expect(lines).toEqual([])
    expect(found).toEqual([
      {
        category: 'Bags',
        summary: 'To carry things.',
        html: expect.stringContaining('<a href="/returns#how-to-return">returns</a>') as string,
      },
    ])
  })

  test('have headings below that of their section, without addresses', async () => {
    const { introductions: found } = await introductions({ 'bags.md': `${BAGS}## Care\n\n# Size\n\n### *Fit*\n` })

    expect(found[0]?.html.replaceAll('\n', '')).toBe('<h3>Care</h3><h3>Size</h3><h3><em>Fit</em></h3>')
  })

  test.each([
    ['a missing summary', '---\ncategory: Bags\n---\nText.\n', 'bags.md:1: summary is missing'],
    ['an unknown field', `${BAGS.replace('---\n', '---\nowner: me\n')}Text.\n`, 'bags.md:2: owner is not known here'],
    ['no text', BAGS, 'bags.md:4: there is no text below the front matter'],
    ['a picture', `${BAGS}![A bag](./bag.png)\n`, 'bags.md:5: an introduction has no pictures'],
    ['a broken link', `${BAGS}[Gone](/gone)\n`, expect.stringMatching(/^bags\.md:5: .*\/gone/) as string],
  ])('are rejected with %s', async (_, text, mistake) => {
    const { introductions: found, lines } = await introductions({ 'bags.md': text })

    expect(found).toEqual([])
    expect(lines).toContainEqual(mistake)
  })

  test('are not taken from what programs leave beside the file being edited', async () => {
    const { introductions: found, lines } = await introductions({
      'bags.md': `${BAGS}Text.\n`,
      '~$bags.md': '\0',
      '._bags.md': '\0',
    })

    expect(lines).toEqual([])
    expect(found).toHaveLength(1)
  })

  test('are rejected if a category has two', async () => {
    const { lines } = await introductions({ 'a.md': `${BAGS}One.\n`, 'b.md': `${BAGS}Two.\n` })

    expect(lines).toEqual(['b.md:1: Bags has another introduction, in a.md'])
  })
})
