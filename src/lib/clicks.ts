type Keys = Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Whether a click asks for another tab or window, or for a download: it goes where its link leads. */
export function leadsElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: Keys): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}
