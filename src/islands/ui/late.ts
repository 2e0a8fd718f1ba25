import { type ComponentType, lazy } from 'react'

/** Loads a component that few customers need. If it cannot load, it renders nothing and the island stays. */
export function late<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => () => null) }))
}
