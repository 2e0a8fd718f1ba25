// Options and arguments of several commands.

/** Maximum number of lines of a list. */
export const LIMIT = ['--limit <n>', 'How many at most', '20'] as const

/** Text that filters a list. */
export const TEXT = ['[text]', 'Part of the name or address; without it all'] as const

/** For commands that cannot be undone. */
export const YES = ['--yes', 'Do it without asking'] as const
