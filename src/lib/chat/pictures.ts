import { MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { formatBytes, whyNot } from './files.ts'

const KINDS = ['jpg', 'jpeg', 'png', 'webp', 'gif']
/** `accept` attribute of the file picker. Phones convert their own formats to one of these. */
export const ACCEPT_PICTURES = 'image/jpeg,image/png,image/webp,image/gif'

/** Adds pictures to `chosen`, up to `most` and what one upload may hold. Returns the first problem, if any. */
export function addPictures(
  chosen: File[],
  added: File[],
  most: number,
): { files: File[]; problem: string | undefined } {
  const files = [...chosen]
  let problem: string | undefined
  for (const file of added) {
    const found = whyNotPicture(file) ?? whyNotMore(files, file, most)
    if (found) problem ??= found
    else files.push(file)
  }
  return { files, problem }
}

function whyNotPicture(file: File): string | undefined {
  const extension = file.name.split('.').at(-1)!.toLowerCase()
  return KINDS.includes(extension) ? whyNot(file) : `${file.name} cannot be shown. Pictures are JPG, PNG, WebP or GIF.`
}

function whyNotMore(files: File[], { size }: File, most: number): string | undefined {
  if (files.length >= most) return most === 0 ? 'No more pictures can be added' : `At most ${most} pictures`
  const sum = files.reduce((all, file) => all + file.size, size)
  return sum > MAX_UPLOAD_BYTES ? `At most ${formatBytes(MAX_UPLOAD_BYTES)} at once` : undefined
}
