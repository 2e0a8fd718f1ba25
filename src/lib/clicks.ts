/** Whether a click asks for another tab or window, or for a download: it goes where its link leads. */
export function leadsElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}
