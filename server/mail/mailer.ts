import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
}

export interface Mailer {
  /**
   * Sends a letter; rejects when the mail server does not accept it. Call it from jobs only: a request must not wait
   * for it.
   */
  send(letter: Letter): Promise<void>
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
}

const SENDER = 'Piazza'
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Sends letters by SMTP, or writes them to files. */
export function openMailer({ smtpUrl, folder, from, printsLinks }: Options): Mailer {
  const sender = { name: SENDER, address: from }
  return smtpUrl ? byPost(smtpUrl, sender) : asFiles(folder, sender, printsLinks)
}

function byPost(url: string, from: { name: string; address: string }): Mailer {
  const opened = atFirstUse(async () => (await import('nodemailer')).createTransport({ url, ...TIMEOUTS }, { from }))
  return {
    async send({ to, subject, text, html }) {
      const transport = await opened()
      await transport.sendMail({ to, subject, text, html })
    },
  }
}

function asFiles(folder: string, from: { name: string; address: string }, printsLinks: boolean): Mailer {
  const onPaper = { streamTransport: true, buffer: true, newline: 'unix' } as const
  const opened = atFirstUse(async () => (await import('nodemailer')).createTransport(onPaper, { from }))
  return {
    async send({ to, subject, text, html, link }) {
      const transport = await opened()
      const { message } = await transport.sendMail({ to, subject, text, html })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      const unfinished = join(folder, `.${name}`)
      await writeFile(unfinished, message as Buffer, { mode: 0o600 })
      // Rename a finished file, so that readers never see half a letter.
      await rename(unfinished, join(folder, name))
      console.log(`Mail to ${to}: ${(printsLinks && link) || name}`)
    },
  }
}
