import type { Question } from './assistant.ts'
import { withOwnLinks } from './links.ts'
import { withoutPromises } from './promises.ts'

const MAX_LENGTH = 2000
/**
 * Characters that are checked; longer texts are cut, because the time for the checks grows with the square of the
 * length.
 */
const MAX_READ = 4 * MAX_LENGTH

/**
 * Turns a model's reply into text that the shop may send: plain, at most 2,000 characters, with the shop's own links
 * and prices only.
 */
export function tidy(reply: string, question: Question): string {
  const plain = reply
    .normalize('NFKC')
    // Invisible characters can hide a link or reverse a text.
    .replace(/\p{Cf}|(?!\n)\p{Cc}/gu, '')
    .replace(/\*\*|__|`+|^#+\s*/gm, '')
    .slice(0, MAX_READ)
    .toWellFormed()
  return shortened(withoutPromises(withOwnLinks(plain, question.publicUrl), question))
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const cut = text.slice(0, MAX_LENGTH)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '), cut.lastIndexOf('\n'))
  return (end > 0 ? cut.slice(0, end + 1) : cut).toWellFormed().trim()
}
