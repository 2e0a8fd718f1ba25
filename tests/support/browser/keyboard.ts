import { expect, type Locator } from 'playwright/test'

const MAX_STOPS = 150

/** Tabs on until `target` has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if (await target.evaluate(element => element === document.activeElement && document.hasFocus())) return
    await target.page().keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

export async function pressIn(target: Locator, key: string): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Types into a field, or chooses the option of a list that begins with `text`. */
export async function typeIn(target: Locator, text: string): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.type(text)
}
