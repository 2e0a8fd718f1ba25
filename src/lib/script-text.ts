/** JSON that is safe inside `<script>`: it cannot close the element or open a comment. */
export function scriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
