import { late } from '../ui/late.ts'

export const TellWhenBack = late(async () => (await import('./TellWhenBack.tsx')).TellWhenBack)
