import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atFirstUse } from '../platform/first-use.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  /** What the letter is about; may be printed where letters are files, so that it can be followed. */
  link: string
}

export interface Mail {
  /** Hands a letter over; rejects when the mail server does not take it. Belongs into a job, never into a request. */
  send(letter: Letter): Promise<void>
}

interface Options {
  /** The mail server; without one, each letter is a file in `folder`. */
  smtpUrl: string | undefined
  folder: string
  /** Whom the letters come from. */
  from: string
  /** Print the links of letters that are files. They sign their reader in: not where customers are real. */
  printsLinks: boolean
}

const SENDER = 'Piazza'
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Letters to customers, by SMTP or as files. */
export function openMail({ smtpUrl, folder, from, printsLinks }: Options): Mail {
  const sender = { name: SENDER, address: from }
  return smtpUrl ? byPost(smtpUrl, sender) : asFiles(folder, sender, printsLinks)
}

function byPost(url: string, from: { name: string; address: string }): Mail {
  const opened = atFirstUse(async () => (await import('nodemailer')).createTransport({ url, ...TIMEOUTS }, { from }))
  return {
    async send({ to, subject, text, html }) {
      const transport = await opened()
      await transport.sendMail({ to, subject, text, html })
    },
  }
}

function asFiles(folder: string, from: { name: string; address: string }, printsLinks: boolean): Mail {
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
      // A file that a reader sees is whole.
      await rename(unfinished, join(folder, name))
      console.log(`Mail to ${to}: ${printsLinks ? link : name}`)
    },
  }
}
