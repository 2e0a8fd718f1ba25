import { html } from 'hono/html'
import type { Letter } from './open.ts'
import { button, page } from './page.ts'

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

function letter({ subject, greeting, before, button: label, link, after }: Text): Words {
  const text = `${greeting}\n\n${before}\n\n${link}\n\n${after}\n`
  const body = html`<p>${greeting}</p>
    <p>${before}</p>
    ${button(label, link)}
    <p>${after}</p>`
  return { subject, text, html: page(subject, body), link }
}
