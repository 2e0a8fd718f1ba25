import { compilePolicies, listMistakes } from '#server/content/compile.ts'

const compiled = await compilePolicies({ now: new Date() })
const mistakes = listMistakes(compiled)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1
else console.log(`${compiled.policies.length + compiled.introductions.length} content files are valid.`)
