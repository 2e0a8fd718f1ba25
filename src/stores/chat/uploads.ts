import { atom } from 'nanostores'
import type { About } from '#contract/chat.ts'
import { isBlank } from '#contract/wire.ts'
import { ApiError } from '#lib/api.ts'
import { PROGRESS_LIMIT, PROGRESS_MS, PROGRESS_RESET_MS, PROGRESS_STEP } from '#lib/constants.ts'
import { idsOf, withAddress } from '#lib/chat/about.ts'
import { addFiles } from '#lib/chat/files.ts'
import { newKey } from '#lib/key.ts'
import { fetchReply } from './ai-replies.ts'
import { receiveMessage } from './arrivals.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { relay } from '../realtime.ts'
import { $isConnected } from '../socket-events.ts'
import { $customer } from '../accounts/session.ts'
import { sound } from './sound.ts'
import { toast } from '../ui/toasts.ts'

/** The files that the customer has chosen but not sent, by seller. */
export const $chosen = atom<ReadonlyMap<string, File[]>>(new Map())

/** The chosen file that the provider rejected last. */
export const $rejected = atom<{ file: File; reason: string } | null>(null)

export interface Upload {
  sellerId: string
  /** The displayed progress. */
  percent: number
  isRunning: boolean
}

/** The upload that is running or has just finished. Only one runs at a time. */
export const $upload = atom<Upload | null>(null)

/** The last attempt. Trying the same message again reuses its `clientId`, so that it is stored only once. */
let tried: { sellerId: string; text: string; about: About | null; files: File[]; clientId: string } | undefined
let stop = new AbortController()

/** Adds files for a seller. Toasts explain why some cannot be added. */
export function chooseFiles(sellerId: string | null, added: File[]): void {
  if (!sellerId) return toast('error', 'Please select a seller first')
  const { files, problems } = addFiles(filesFor(sellerId), added)
  setFiles(sellerId, files)
  for (const problem of problems) toast('error', problem)
}

/** Removes a chosen file. */
export function dropFile(sellerId: string, file: File): void {
  setFiles(
    sellerId,
    filesFor(sellerId).filter(each => each !== file),
  )
}

/** Sends the chosen files with a text and a card as one message. Returns false on failure, which a toast shows. */
export async function sendFiles(sellerId: string, words: string, about: About | null = null): Promise<boolean> {
  const text = about ? withAddress(words, about) : words
  const customer = $customer.get()
  const files = filesFor(sellerId)
  if (!customer || files.length === 0 || $upload.get()?.isRunning) return false
  const isSame = tried?.sellerId === sellerId && tried.text === text && tried.about === about && tried.files === files
  tried = isSame && tried ? tried : { sellerId, text, about, files, clientId: newKey() }
  stop = new AbortController()
  const progress = showProgress(sellerId)
  try {
    const { clientId } = tried
    const api = client.upload(progress.sent, stop.signal)
    const { message } = await api.sendFiles({
      userId: customer.id,
      sellerId,
      text,
      name: customer.name,
      clientId,
      ...(about && idsOf(about)),
      files,
    })
    progress.done()
    // Files that were added meanwhile stay for the next message.
    setFiles(
      sellerId,
      filesFor(sellerId).filter(file => !files.includes(file)),
    )
    receiveMessage(message)
    relay(message)
    if (!$isConnected.get()) notifyOtherTabs('chat')
    sound('sent')
    toast('success', 'File sent successfully')
    if (!isBlank(text)) void fetchReply(sellerId, message.id)
    return true
  } catch (error) {
    progress.failed()
    if (!(error instanceof ApiError)) throw error
    $rejected.set(findRejected(files, error.message))
    if (!stop.signal.aborted) toast('error', 'Error uploading files', error.isSilent ? {} : { details: error.message })
    return false
  }
}

/** Aborts the running upload; its files stay chosen. */
export function cancelUpload(): void {
  stop.abort(new DOMException('The customer has cancelled the upload', 'AbortError'))
}

/** The provider's reason begins with the name of the file. */
function findRejected(files: File[], message: string) {
  const file = files.find(({ name }) => message.startsWith(`${name}: `))
  return file ? { file, reason: message.slice(file.name.length + 2) } : null
}

/** Displays progress in steps, never more than was actually sent; 100 % only once the message is stored. */
function showProgress(sellerId: string) {
  let really = 0
  let percent = 0
  const show = (next: number, isRunning = true) => $upload.set({ sellerId, percent: (percent = next), isRunning })
  const timer = setInterval(() => show(Math.min(percent + PROGRESS_STEP, PROGRESS_LIMIT, really)), PROGRESS_MS)
  show(0)
  return {
    sent: (part: number) => void (really = Math.floor(part * 100)),
    done() {
      clearInterval(timer)
      show(100, false)
      const shown = $upload.get()
      setTimeout(() => $upload.get() === shown && $upload.set(null), PROGRESS_RESET_MS)
    },
    failed() {
      clearInterval(timer)
      $upload.set(null)
    },
  }
}

function filesFor(sellerId: string): File[] {
  return $chosen.get().get(sellerId) ?? []
}

function setFiles(sellerId: string, files: File[]): void {
  $chosen.set(new Map($chosen.get()).set(sellerId, files))
}
