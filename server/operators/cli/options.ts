// Options of several commands.

/** Maximum number of lines of a list. */
export const LIMIT = { type: 'string', valueHint: 'N', default: '20', description: 'How many at most' } as const

/** Text that filters a list. */
export const TEXT = {
  type: 'positional',
  required: false,
  default: '',
  description: 'Part of the name or address; without it all',
} as const

/** For commands that cannot be undone. */
export const YES = { type: 'boolean', default: false, description: 'Do it without asking' } as const
