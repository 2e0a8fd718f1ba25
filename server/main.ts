import { quickenLoading } from './loading.ts'

quickenLoading()
const { start } = await import('./serve.ts')
await start()
