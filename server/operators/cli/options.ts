// Options and arguments of several commands.

/** Maximum number of lines of a list. */
export const LIMIT = ['--limit <n>', 'How many at most', '20'] as const

/** Limits of the time at which what is listed was created. */
export const SINCE = ['--since <date>', 'Only those since this day (UTC) or time, such as 2026-01-31'] as const
export const BEFORE = ['--before <date>', 'Only those before this day (UTC) or time'] as const

/** Text that filters a list. */
export const TEXT = ['[text]', 'Part of the name or address; without it all'] as const

/** For commands that cannot be undone. */
export const YES = ['--yes', 'Do it without asking'] as const
