import { type ComponentType, lazy } from 'react'

/** Loads a component that few customers need. If it cannot load, it renders nothing and the island stays. */
function late<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => () => null) }))
}

export const ConfirmEmailNotice = late(async () => (await import('./ConfirmEmailNotice.tsx')).ConfirmEmailNotice)
export const SendConfirmation = late(async () => (await import('./SendConfirmation.tsx')).SendConfirmation)
