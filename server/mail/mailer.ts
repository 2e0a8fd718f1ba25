import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { atFirstUse } from '../platform/first-use.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  /**
   * The link that the letter is about; empty without one. It may be printed when letters are written to files, so that
   * developers can follow it.
   */
  link: string
  /** A POST to this address ends such mails, without a login: mail programs offer it as a button. */
  unsubscribeUrl?: string
}

export interface Mailer {
  /**
   * Sends a letter; rejects when the mail server does not accept it, unless it says that there is no such address. Call
   * it from jobs only: a request must not wait for it.
   */
  send(letter: Letter): Promise<void>
}

/** A mailer with connections of its own. */
interface OpenMailer extends Mailer {
  /** Closes the connections when the letters on them are sent; rejects those that wait for one. */
  close(): Promise<void>
}

interface Options {
  /** The mail server's URL; if undefined, letters are written to files in `folder`. */
  smtpUrl: string | undefined
  folder: string
  /** The sender's address. */
  from: string
  /**
   * Prints the links of letters that are written to files. The links give access to accounts: not for shops with real
   * customers.
   */
  printsLinks: boolean
  log: Pick<Logger, 'warn'>
}

const SENDER = 'Piazza'
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, idleTimeout: 30_000 }

/** No such mailbox or domain, bad syntax, moved, no mail there: https://www.rfc-editor.org/rfc/rfc3463#section-3.2 */
const NO_SUCH_ADDRESS = /^5\d\d[ -](5\.1\.(?:[1236]|10))\s/

/** Sends letters by SMTP, or writes them to files. */
export function openMailer({ smtpUrl, folder, from, printsLinks, log }: Options): OpenMailer {
  const sender = { name: SENDER, address: from }
  return smtpUrl ? openSmtpMailer(smtpUrl, sender, log) : openFileMailer(folder, sender, printsLinks)
}

/** Keeps up to five connections, because opening one takes longer than sending a letter. */
function openSmtpMailer(url: string, from: { name: string; address: string }, log: Options['log']): OpenMailer {
  let isOpened = false
  const opened = atFirstUse(async () => {
    isOpened = true
    return (await import('nodemailer')).createTransport({ url, pool: true, ...TIMEOUTS }, { from })
  })
  return {
    async send(letter) {
      const transport = await opened()
      try {
        await transport.sendMail(messageOf(letter))
      } catch (error) {
        const { command, response } = error as { command?: string; response?: string }
        const [, status] = (command === 'RCPT TO' && NO_SUCH_ADDRESS.exec(response ?? '')) || []
        if (!status) throw error
        log.warn({ status }, 'a mail was not sent: its address does not exist')
      }
    },
    async close() {
      if (isOpened) (await opened()).close()
    },
  }
}

function openFileMailer(folder: string, from: { name: string; address: string }, printsLinks: boolean): OpenMailer {
  const fileTransport = { streamTransport: true, buffer: true, newline: 'unix' } as const
  const opened = atFirstUse(async () => (await import('nodemailer')).createTransport(fileTransport, { from }))
  return {
    async send(letter) {
      const transport = await opened()
      const { message } = await transport.sendMail(messageOf(letter))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      const unfinished = join(folder, `.${name}`)
      await writeFile(unfinished, message as Buffer, { mode: 0o600 })
      // Rename a finished file, so that readers never see half a letter.
      await rename(unfinished, join(folder, name))
      console.log(`Mail to ${letter.to}: ${(printsLinks && letter.link) || name}`)
    },
    close: () => Promise.resolve(),
  }
}

/** Mail programs show a button for one-click unsubscribing: https://www.rfc-editor.org/rfc/rfc8058 */
function messageOf({ to, subject, text, html, unsubscribeUrl }: Letter) {
  const headers = unsubscribeUrl && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return { to, subject, text, html, ...(headers && { headers }) }
}
