interface PlainPage {
  title: string
  text?: string
}

/** An error page that needs neither rendering nor files of the build, for when both may be broken. */
export function plainPage({ title, text }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<h1>${title}</h1>
${text ? `<p>${text}</p>\n` : ''}<p><a href="">Try again</a></p>
`
}
