import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { readFrontMatter } from '#server/content/front-matter.ts'
import { describeMistakes } from '#server/content/mistake.ts'
import { policySchema } from '#server/content/policy-schema.ts'

const schema = z.strictObject({
  title: z.string().min(1),
  updated: z.coerce.date(),
  contact: z.object({ email: z.email('must be an address') }).optional(),
})

function errorsIn(...lines: string[]): string[] {
  const { mistakes } = readFrontMatter(`${lines.join('\n')}\n\nText.\n`, schema)
  return describeMistakes('terms.md', mistakes)
}

describe('errors in the front matter', () => {
  test('are empty for a valid file', () => {
    expect(errorsIn('---', 'title: Terms', 'updated: 2025-02-28', '---')).toEqual([])
  })

  test('are empty for a file with Windows line endings and a BOM', () => {
    expect(errorsIn('\uFEFF---\r', 'title: Terms\r', 'updated: 2025-02-28\r', '---\r')).toEqual([])
  })

  test('name line 1 for a missing title', () => {
    expect(errorsIn('---', 'updated: 2025-02-28', '---')).toEqual(['terms.md:1: title is missing'])
  })

  test.each(['title:', 'title: ""'])('name the line of an empty title: %s', title => {
    expect(errorsIn('---', 'updated: 2025-02-28', title, '---')).toEqual(['terms.md:3: title is missing'])
  })

  test.each(['2025-02-30', '2025-13-01', '2025-02-30T10:00:00Z'])('contain the date %s, which does not exist', date => {
    expect(errorsIn('---', 'title: Terms', `updated: ${date}`, '---')).toEqual([
      `terms.md:3: updated: there is no date ${date}`,
    ])
  })

  test('contain aliases that multiply', () => {
    const lists = ['a', 'b', 'c', 'd'].map((name, at, all) => {
      const items = at === 0 ? 'x' : `*${all[at - 1]}`
      return `${name}: &${name} [${Array(9).fill(items).join(', ')}]`
    })
    expect(errorsIn('---', ...lists, '---')).toEqual([
      'terms.md:1: the front matter refers to itself too often: write its values out',
    ])
  })

  test('contain a value that is not a date', () => {
    expect(errorsIn('---', 'title: Terms', 'updated: soon', '---')).toEqual([
      'terms.md:3: updated: "soon" is not a date such as 2025-12-31',
    ])
  })

  test('name the line of a nested value', () => {
    expect(errorsIn('---', 'title: Terms', 'updated: 2025-02-28', 'contact:', '  email: nobody', '---')).toEqual([
      'terms.md:5: contact.email: must be an address',
    ])
  })

  test('name the line of an unknown field', () => {
    expect(errorsIn('---', 'title: Terms', 'updated: 2025-02-28', 'autor: Ada', '---')).toEqual([
      'terms.md:4: autor is not known here',
    ])
  })

  test('are in the order of their lines', () => {
    expect(errorsIn('---', 'autor: Ada', 'updated: 2025-02-30', '---')).toEqual([
      'terms.md:1: title is missing',
      'terms.md:2: autor is not known here',
      'terms.md:3: updated: there is no date 2025-02-30',
    ])
  })

  test('name the line of broken YAML', () => {
    expect(errorsIn('---', 'title: Terms', 'updated: [2025', '---')[0]).toMatch(/^terms\.md:\d+: /)
    expect(errorsIn('---', 'title: Terms', 'title: Again', '---')).toEqual(['terms.md:3: Map keys must be unique'])
  })

  test('name a file without front matter, or with front matter that is not closed', () => {
    const fault = 'terms.md:1: the file must start with front matter between two lines of ---'
    expect(errorsIn('# Terms')).toEqual([fault])
    expect(errorsIn('---', 'title: Terms')).toEqual([fault])
    expect(errorsIn('---', 'just text', '---')).toEqual(['terms.md:1: the front matter must be lines of name: value'])
  })
})

describe('the front matter of a policy', () => {
  const errorsOf = (updated: string) =>
    describeMistakes(
      'terms.md',
      readFrontMatter(`---\ntitle: Terms\ndescription: Rules\nupdated:${updated}\n---\n\nText.\n`, policySchema)
        .mistakes,
    )

  test('accepts the date of the last change', () => {
    expect(errorsOf(' 2025-06-30')).toEqual([])
  })

  test.each([
    ['', 'updated is missing'],
    [' 2025', 'updated: 2025 is not a date such as 2025-12-31'],
    [' true', 'updated: true is not a date such as 2025-12-31'],
  ])('rejects "updated:%s"', (updated, fault) => {
    expect(errorsOf(updated)).toEqual([`terms.md:4: ${fault}`])
  })
})
