import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** This version of Piazza, written like its git tag: `v1.2.3`. */
export const RELEASE = `v${(JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version}`
