import { html } from 'hono/html'
import type { Letter } from './mailer.ts'

/** A letter without its address. */
export type LetterContent = Omit<Letter, 'to'>

/** A part of a letter, as text and as HTML. Values in `html` templates are escaped. */
export interface Block {
  text: string
  markup: ReturnType<typeof html>
}

/** Composes a letter about a link. A string is a paragraph. */
export function composeLetter(subject: string, link: string, parts: (string | Block)[]): LetterContent {
  const blocks = parts.map(part => (typeof part === 'string' ? lineBlock([part]) : part))
  const text = blocks.map(block => block.text).join('\n\n')
  const body = blocks.flatMap(({ markup }) => [markup, '\n'])
  return { subject, text: `${text}\n`, html: page(subject, body), link }
}

/** Ends with the order's number, so that the letters of several orders can be told apart in an inbox. */
export function orderSubject(subject: string, orderNumber: string): string {
  return `${subject} (${orderNumber})`
}

/** A paragraph of several lines. */
export function lineBlock([first = '', ...others]: string[]): Block {
  return {
    text: [first, ...others].join('\n'),
    markup: html`<p>${first}${others.map(line => html`<br />${line}`)}</p>`,
  }
}

/** The letter's main link, as a button and as plain text. */
export function button(label: string, link: string): Block {
  return {
    text: `${label}: ${link}`,
    markup: html`<p>
        <a
          href="${link}"
          style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b83a14;color:#ffffff;text-decoration:none"
          >${label}</a
        >
      </p>
      <p style="font-size:12px;overflow-wrap:anywhere">
        If the button does not work, open this address:<br />${link}
      </p>`,
  }
}

export function linkTo(label: string, link: string): Block {
  return { text: `${label}: ${link}`, markup: html`<p><a href="${link}">${label}</a></p>` }
}

/** A part in small print. */
export function small(part: string | Block): Block {
  const { text, markup } = typeof part === 'string' ? lineBlock([part]) : part
  return { text, markup: html`<div style="font-size:14px">${markup}</div>` }
}

/**
 * The HTML page of a letter. Styles are inline, so that all mail programs show it alike. The shop's name is a little
 * lighter than the button, to be readable on dark backgrounds, too.
 */
function page(title: string, body: unknown[]): string {
  const letter: unknown = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
        <div style="max-width:32rem;margin:0 auto">
          <p style="margin:0 0 24px;color:#d0491f;font-size:20px;font-weight:700">Piazza</p>
          ${body}
        </div>
      </body>
    </html> `
  return String(letter)
}
