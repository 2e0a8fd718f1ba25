import { type ComponentType, lazy } from 'react'

/** Fetches a part that few customers need; one that cannot be fetched is left out, the rest of its island stays. */
function late<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => () => null) }))
}

export const ConfirmEmailNotice = late(async () => (await import('./ConfirmEmailNotice.tsx')).ConfirmEmailNotice)
export const SendConfirmation = late(async () => (await import('./SendConfirmation.tsx')).SendConfirmation)
