import { late } from '../ui/late.ts'

export const ConfirmEmailNotice = late(async () => (await import('./ConfirmEmailNotice.tsx')).ConfirmEmailNotice)
export const SendConfirmation = late(async () => (await import('./SendConfirmation.tsx')).SendConfirmation)
