import { html } from 'hono/html'
import type { Letter } from './open.ts'

type Words = Omit<Letter, 'to'>

interface Text {
  subject: string
  greeting: string
  before: string
  button: string
  link: string
  after: string
}

/** The link to choose a new password. */
export function resetLetter({ name, link, minutes }: { name: string; link: string; minutes: number }): Words {
  return letter({
    subject: 'Choose a new password',
    greeting: `Hello ${name},`,
    before: 'somebody, hopefully you, asked for a new password for your account at Piazza. Choose it here:',
    button: 'Choose a new password',
    link,
    after: `The link works once, within ${minutes} minutes. If it was not you, there is nothing to do: your password stays as it is.`,
  })
}

function letter({ subject, greeting, before, button, link, after }: Text): Words {
  const text = `${greeting}\n\n${before}\n\n${link}\n\n${after}\n`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
        <div style="max-width:32rem;margin:0 auto">
          <p>${greeting}</p>
          <p>${before}</p>
          <p>
            <a
              href="${link}"
              style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b83a14;color:#ffffff;text-decoration:none"
              >${button}</a
            >
          </p>
          <p style="font-size:14px">${link}</p>
          <p>${after}</p>
        </div>
      </body>
    </html> `
  return { subject, text, html: page.valueOf() as string, link }
}
