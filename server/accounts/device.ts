import { parse } from 'bowser'

const UNKNOWN = 'Unknown device'
const MAX_USER_AGENT_LENGTH = 300

/** The part of a User-Agent header that is stored; null without one. */
export function shortUserAgent(header: string | undefined): string | null {
  return header?.slice(0, MAX_USER_AGENT_LENGTH) || null
}

/** Browser and device, for example 'Safari on iPhone'. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN
  const { browser, os, platform } = parse(userAgent)
  const device = platform.vendor === 'Apple' && platform.model ? platform.model : os.name
  if (browser.name && device) return `${browser.name} on ${device}`
  return browser.name || device || UNKNOWN
}
