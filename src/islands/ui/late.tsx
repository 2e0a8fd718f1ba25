import { type ComponentType, lazy } from 'react'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { Blank } from './Blank.tsx'

/**
 * Loads a component that few customers need. If it cannot load, the island stays, and `failure` says so with a button
 * that loads the page again: browsers may store that a module failed.
 */
export function late<Props>(
  load: () => Promise<ComponentType<Props>>,
  failure = 'A part of this page could not be loaded',
) {
  const Failure = () => <Blank text={failure} onRetry={() => sayIfOffline() || location.reload()} />
  return lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => Failure) }))
}
