import { compilePolicies } from '#server/content/compile.ts'

const { policies, introductions, mistakes } = await compilePolicies({ now: new Date() })
const errors = [...mistakes.values()].flat()
for (const error of errors) console.error(error)
const isEmpty = errors.length === 0 && policies.length === 0
if (isEmpty) console.error('src/content/policies has no Markdown files')
if (errors.length > 0 || isEmpty) process.exitCode = 1
else console.log(`${policies.length + introductions.length} content files are right.`)
