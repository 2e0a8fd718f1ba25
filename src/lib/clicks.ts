import { isShortcut } from './keys.ts'

type Keys = Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Whether a click with modifier keys opens a tab or window or downloads: the browser then handles the link. */
export function leadsElsewhere(event: Keys): boolean {
  return isShortcut(event) || event.shiftKey
}
