import { late } from '../ui/late.tsx'

export const ConfirmEmailNotice = late(async () => (await import('./ConfirmEmailNotice.tsx')).ConfirmEmailNotice)
export const DeletionNotice = late(async () => (await import('./DeletionNotice.tsx')).DeletionNotice)
export const SendConfirmation = late(async () => (await import('./SendConfirmation.tsx')).SendConfirmation)
