import { globSync, readFileSync } from 'node:fs'
import { policySchema } from '#content/policy-schema.ts'
import { contentErrors } from './content-errors.ts'

const files = globSync('src/content/policies/**/*.md').toSorted()
const errors = files.flatMap(file => contentErrors(file, readFileSync(file, 'utf8'), policySchema))
for (const error of errors) console.error(error)
if (files.length === 0) console.error('src/content/policies has no Markdown files')
if (errors.length > 0 || files.length === 0) process.exitCode = 1
else console.log(`${files.length} content files are right.`)
