/** Whether a client has what `etag` names, by its If-None-Match: compared weakly, as RFC 9110 wants it for GET. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch === etag) return true
  const tags = ifNoneMatch.split(',').map(tag => unmarked(tag.trim()))
  return tags.includes(unmarked(etag)) || tags.includes('*')
}

/** A proxy may have taken the mark of a weak one away. */
function unmarked(etag: string): string {
  return etag.replace(/^W\//, '')
}
