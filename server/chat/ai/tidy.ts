import type { Question } from './assistant.ts'
import { withOwnLinks } from './links.ts'
import { withoutPromises } from './promises.ts'

const LONGEST = 2000
/** Of what is longer, the rest is not looked at: the time for that grows with its square. */
const MOST_READ = 4 * LONGEST

/** What a model said as text that the shop may say: plain, of bounded length, with its own links and prices only. */
export function tidy(said: string, question: Question): string {
  const plain = said
    .normalize('NFKC')
    // Nobody sees these, and they can hide a link or turn a text around.
    .replace(/\p{Cf}|(?!\n)\p{Cc}/gu, '')
    .replace(/\*\*|__|`+|^#+\s*/gm, '')
    .slice(0, MOST_READ)
    .toWellFormed()
  return shortened(withoutPromises(withOwnLinks(plain, question.publicUrl), question))
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  const cut = text.slice(0, LONGEST)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '), cut.lastIndexOf('\n'))
  return (end > 0 ? cut.slice(0, end + 1) : cut).toWellFormed().trim()
}
