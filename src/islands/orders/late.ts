import { late } from '../ui/late.ts'

export const PaidOrder = late(async () => (await import('./PaidOrder.tsx')).PaidOrder)
