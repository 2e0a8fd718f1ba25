import { FILE_EXTENSIONS, MAX_FILE_BYTES, MAX_FILES, MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { lazily } from '#lib/lazily.ts'

/** `accept` attribute of the chat's file picker. */
export const ACCEPT = 'image/*,video/*,.pdf,.doc,.docx,.txt,.zip,.rar'

const MB = 1024 * 1024
const units = lazily(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))

/** '512 bytes', '14.2 kB', '3.5 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < MB ? `${units().format(bytes / 1024)} kB` : `${units().format(bytes / MB)} MB`
}

/** Why a file cannot be sent; undefined if it can. The provider also checks its contents. */
export function whyNot({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const extension = name.includes('.') ? name.split('.').at(-1)!.toLowerCase() : ''
  if (!FILE_EXTENSIONS.includes(extension))
    return `${name} cannot be sent. Files that can be sent: ${FILE_EXTENSIONS.join(', ')}`
  if (size === 0) return `${name} is empty`
  return size > MAX_FILE_BYTES ? `${name} is larger than ${formatBytes(MAX_FILE_BYTES)}` : undefined
}

/** Adds files to `chosen`, up to the limits of one message. Returns the problems of the files that cannot be added. */
export function addFiles(chosen: File[], added: File[]): { files: File[]; problems: string[] } {
  const problems: string[] = []
  const files = [...chosen]
  for (const file of added) {
    const problem = whyNot(file) ?? whyNotMore(files, file)
    if (!problem) files.push(file)
    else if (!problems.includes(problem)) problems.push(problem)
  }
  return { files, problems }
}

function whyNotMore(files: File[], { size }: File): string | undefined {
  if (files.length >= MAX_FILES) return `One message takes at most ${MAX_FILES} files`
  const sum = files.reduce((all, file) => all + file.size, size)
  return sum > MAX_UPLOAD_BYTES ? `One message takes at most ${formatBytes(MAX_UPLOAD_BYTES)}` : undefined
}

/** Size of a picture scaled down to fit a square with this side; without dimensions, the whole square. */
export function fitted({ width, height }: { width?: number | undefined; height?: number | undefined }, side: number) {
  if (!width || !height) return { width: side, height: side }
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
