// What several commands take.

/** How many lines a list has at most. */
export const LIMIT = { type: 'string', valueHint: 'N', default: '20', description: 'How many at most' } as const

/** What a list is narrowed to. */
export const TEXT = {
  type: 'positional',
  required: false,
  default: '',
  description: 'Part of the name or address; without it all',
} as const

/** For what cannot be undone. */
export const YES = { type: 'boolean', default: false, description: 'Do it without asking' } as const
