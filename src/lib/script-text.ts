/** JSON for a `<script>`: nothing in it can end the element or open a comment. */
export function scriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
