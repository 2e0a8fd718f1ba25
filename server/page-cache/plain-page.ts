interface PlainPage {
  title: string
  text?: string
}

/** A page that needs no rendering and no files of the build: for when there cannot be another. */
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
