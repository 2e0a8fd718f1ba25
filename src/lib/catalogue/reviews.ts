import { lazily } from '#lib/lazily.ts'

const dates = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }))

/** 'Mar 4, 2025', in UTC: the cached page is the same for everyone. */
export function formatDate(iso: string): string {
  return dates().format(new Date(iso))
}
