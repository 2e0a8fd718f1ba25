import { quickenLoading } from './platform/loading.ts'
import { findLastGood, findPacked } from './platform/packed.ts'
import type * as serve from './serve.ts'

quickenLoading()
const packed = process.argv.includes('--last-good') ? findLastGood() : findPacked()
const { start } = packed ? ((await import(packed)) as typeof serve) : await import('./serve.ts')
await start()
