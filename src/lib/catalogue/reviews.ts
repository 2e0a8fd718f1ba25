// Created once, because that takes longer than using it a hundred times.
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Mar 4, 2025', in UTC: the cached page is the same for everyone. */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}
