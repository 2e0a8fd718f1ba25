import { html } from 'hono/html'

/** Markup made by `html` of hono/html, with escaped values. */
export type Markup = ReturnType<typeof html>

/** The HTML page of a letter. Styles are inline, so that all mail programs show it alike. */
export function page(title: string, body: Markup): string {
  const letter: unknown = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
        <div style="max-width:32rem;margin:0 auto">
          <p style="margin:0 0 24px;color:#b83a14;font-size:20px;font-weight:700">Piazza</p>
          ${body}
        </div>
      </body>
    </html> `
  return String(letter)
}

/** The letter's main link, as a button and as plain text. */
export function button(text: string, link: string): Markup {
  return html`<p>
      <a
        href="${link}"
        style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b83a14;color:#ffffff;text-decoration:none"
        >${text}</a
      >
    </p>
    <p style="font-size:14px;overflow-wrap:anywhere">${link}</p>`
}
