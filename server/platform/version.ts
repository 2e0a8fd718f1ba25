import manifest from '../../package.json' with { type: 'json' }

/** This version of Piazza, such as `v1.2.3`. */
export const RELEASE = `v${manifest.version}`
/** The release before this one (CHANGELOG.md): processes of both may use one database at the same time. */
export const PREVIOUS_RELEASE = 'v0.1.0'

export function isOlderRelease(release: string, than: string): boolean {
  const [own, other] = [release, than].map(each => each.replace(/^v/, '').split('.').map(Number))
  const at = own!.findIndex((part, index) => part !== other![index])
  return at >= 0 && own![at]! < other![at]!
}
