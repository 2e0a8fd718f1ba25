import { request } from 'node:http'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { sendFiles } from '#contract/chat.ts'
import type { ChatFile } from './chat-files.ts'

export interface Answer {
  status: number
  error?: string
  body: string
}

const PATH = `/api${sendFiles.path}`
const BOUNDARY = 'a-boundary-of-the-test'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

const END = `\r\n--${BOUNDARY}--\r\n`

/** The start of a form whose last part is a file. `name` is put into its header unescaped. */
export function formStart(fields: Record<string, string>, name: string): Buffer {
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  return Buffer.from(`${parts.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; ${name}\r\n\r\n`)
}

/** A complete form with one file, or with more that start inside the content. */
export function rawForm(fields: Record<string, string>, name: string, ...content: (Buffer | string)[]): Buffer {
  return Buffer.concat([formStart(fields, name), ...content.map(part => Buffer.from(part)), Buffer.from(END)])
}

/** Sends files as browsers do. */
export async function sendForm(
  url: string,
  token: string,
  fields: Record<string, string>,
  files: ChatFile[],
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const { name, content } of files) form.append('files', new Blob([new Uint8Array(content)]), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(url + PATH, { method: 'POST', headers, body: form })
  return answerOf(answer.status, await answer.text())
}

/**
 * Sends all pieces of a body, even if a response comes earlier. Rejects if there is no response. With `brokenOff` the
 * request never ends; its connection is destroyed when that promise resolves.
 */
export function sendPieces(
  url: string,
  headers: Record<string, string | number>,
  pieces: Iterable<Buffer>,
  { brokenOff }: { brokenOff?: Promise<void> } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sending = request(
    url + PATH,
    { method: 'POST', headers: { 'content-type': FORM_TYPE, ...headers } },
    answer => {
      text(answer).then(body => resolve(answerOf(answer.statusCode ?? 0, body)), reject)
    },
  )
  sending.on('error', reject)
  const rest = pieces[Symbol.iterator]()
  const send = (): void => {
    for (;;) {
      const { done, value } = rest.next()
      if (done) {
        if (brokenOff) void brokenOff.then(() => sending.destroy())
        else sending.end()
        return
      }
      if (!sending.write(value)) {
        sending.once('drain', send)
        return
      }
    }
  }
  send()
  return promise
}

/** The paths of all files below a folder; empty if the folder does not exist. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined)
  // What was removed while it was being read is not there the next time.
  if (!entries) return existsSync(folder) ? filesIn(folder) : []
  return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`)
}

function answerOf(status: number, body: string): Answer {
  const { error } = JSON.parse(body || '{}') as { error?: string }
  return { status, body, ...(error !== undefined && { error }) }
}
