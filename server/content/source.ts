import { REFUND_DAYS, RETURN_ANSWER_DAYS, RETURN_DAYS, RETURN_SEND_DAYS } from '#contract/rules.ts'
import type { Mistake } from './mistake.ts'

const NEW_LINE = 0x0a
/** The conflict markers of git and similar tools. */
const CONFLICT_MARK = /^(?:<{7}|>{7}|\|{7})(?: |$)|^={7}$/

/**
 * The shop's rules that a page may name, such as %RETURN_DAYS%, so that pages cannot contradict the shop. The visual
 * editor could not open pages with braces.
 */
const RULES = new Map<string, number | string>(
  Object.entries({ REFUND_DAYS, RETURN_ANSWER_DAYS, RETURN_DAYS, RETURN_SEND_DAYS }),
)
const RULE = /%([A-Z]+(?:_[A-Z]+)+)%/g

/** `.#page.md` (Emacs), `~$page.md` (Word), `._page.md` (macOS) and all of folders such as `.trash`. */
const LEFT_BY_PROGRAM = /(^|[/\\])(\.|~\$)/

/** Whether a program made the file or its folder for itself, beside the page that an editor has open. */
export function isLeftByProgram(file: string): boolean {
  return LEFT_BY_PROGRAM.test(file)
}

/** Decodes a Markdown file and puts in the rules that it names; `text` is null if it is not UTF-8. */
export function decodeSource(bytes: Uint8Array): { text: string | null; mistakes: Mistake[] } {
  const wrongLine = findLineNotUtf8(bytes)
  if (wrongLine) return { text: null, mistakes: [{ line: wrongLine, text: 'not UTF-8: save the file as UTF-8' }] }
  // The decoder drops the byte order mark.
  const text = new TextDecoder().decode(bytes)
  const filledIn = text.replaceAll(RULE, (named, name: string) => String(RULES.get(name) ?? named))
  return { text: filledIn, mistakes: [...findConflictMarks(text), ...findUnknownRules(text)] }
}

function findLineNotUtf8(bytes: Uint8Array): number | null {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let start = 0, line = 1; start <= bytes.length; line += 1) {
    const end = bytes.indexOf(NEW_LINE, start)
    const until = end === -1 ? bytes.length : end
    try {
      decoder.decode(bytes.subarray(start, until))
    } catch {
      return line
    }
    start = until + 1
  }
  return null
}

function findUnknownRules(text: string): Mistake[] {
  const names = [...RULES.keys()].join(', ')
  return text
    .split(/\r?\n/)
    .flatMap((line, index) =>
      [...line.matchAll(RULE)]
        .filter(([, name = '']) => !RULES.has(name))
        .map(([named]) => ({ line: index + 1, text: `${named} is no rule of the shop: it knows ${names}` })),
    )
}

function findConflictMarks(text: string): Mistake[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) =>
      CONFLICT_MARK.test(line)
        ? [{ line: index + 1, text: `${line.slice(0, 7)} is a conflict mark: keep one version and delete the marks` }]
        : [],
    )
}
