/** Whether an If-None-Match header matches `etag`, by weak comparison, as RFC 9110 requires for GET. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch === etag) return true
  const tags = ifNoneMatch.split(',').map(tag => unmarked(tag.trim()))
  return tags.includes(unmarked(etag)) || tags.includes('*')
}

/** Without the weak mark, which some proxies remove. */
function unmarked(etag: string): string {
  return etag.replace(/^W\//, '')
}
