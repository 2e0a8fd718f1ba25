import type { Locator } from 'playwright/test'
import sharp from 'sharp'

/** WCAG contrast at the right end of a white text with 90 % opacity on the grey picture behind it. */
export async function contrastAtEnd(text: Locator): Promise<number> {
  const end = await text.evaluate(element => {
    element.style.color = 'transparent'
    const { right, top } = element.getBoundingClientRect()
    return { x: right, y: top + 4 }
  })
  const picture = await text.page().screenshot({ clip: { ...end, width: 1, height: 1 } })
  const [grey = 0] = await sharp(picture).raw().toBuffer()
  return (luminance(0.9 * 255 + 0.1 * grey) + 0.05) / (luminance(grey) + 0.05)
}

/** Relative luminance of a grey (WCAG 2.2), approximated by a single power. */
function luminance(grey: number): number {
  return ((grey / 255 + 0.055) / 1.055) ** 2.4
}
