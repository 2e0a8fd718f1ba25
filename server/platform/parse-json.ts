/** Parses JSON; returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The position in the parser's message helps neither editors nor clients.
    return undefined
  }
}
