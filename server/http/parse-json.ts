/** What a text says as JSON; undefined when it is none, which the caller's refusal says. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Neither an editor nor a client is helped by where it stops being JSON.
    return undefined
  }
}
