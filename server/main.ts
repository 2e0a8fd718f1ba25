import { quickenLoading } from './loading.ts'
import { findPacked } from './packed.ts'
import type * as serve from './serve.ts'

quickenLoading()
const packed = findPacked()
const { start } = packed ? ((await import(packed)) as typeof serve) : await import('./serve.ts')
await start()
