import { late } from '../ui/late.ts'

export const Returns = late(async () => (await import('./Returns.tsx')).Returns)
