import { MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { formatBytes, whyNot } from '../chat/files.ts'

const KINDS = ['jpg', 'jpeg', 'png', 'webp', 'gif']
/** `accept` attribute of the file picker. Phones convert their own formats to one of these. */
export const ACCEPT_PICTURES = 'image/jpeg,image/png,image/webp,image/gif'

/** Adds pictures to `chosen`, up to the limit of a return that already has `has`. Returns the first problem, if any. */
export function addPictures(chosen: File[], added: File[], has = 0): { files: File[]; problem: string | undefined } {
  const files = [...chosen]
  let problem: string | undefined
  for (const file of added) {
    const found = whyNotPicture(file) ?? whyNotMore(files, file, has)
    if (found) problem ??= found
    else files.push(file)
  }
  return { files, problem }
}

function whyNotPicture(file: File): string | undefined {
  const extension = file.name.split('.').at(-1)!.toLowerCase()
  return KINDS.includes(extension) ? whyNot(file) : `${file.name} is not a picture (${KINDS.join(', ')})`
}

function whyNotMore(files: File[], { size }: File, has: number): string | undefined {
  if (has + files.length >= MAX_RETURN_PICTURES) return `At most ${MAX_RETURN_PICTURES} pictures`
  const sum = files.reduce((all, file) => all + file.size, size)
  return sum > MAX_UPLOAD_BYTES ? `At most ${formatBytes(MAX_UPLOAD_BYTES)} at once` : undefined
}
