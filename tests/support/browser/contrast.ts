import type { Locator } from 'playwright/test'
import sharp from 'sharp'

/** WCAG contrast at the right end of a text with what is behind it, both taken as grey. */
export async function contrastAtEnd(text: Locator): Promise<number> {
  const { colour, ...end } = await text.evaluate(element => {
    const { right, top } = element.getBoundingClientRect()
    const { color } = getComputedStyle(element)
    element.style.color = 'transparent'
    return { x: right - 1, y: top + 4, colour: color }
  })
  const picture = await text.page().screenshot({ clip: { ...end, width: 1, height: 1 } })
  await text.evaluate(element => (element.style.color = ''))
  const [behind = 0] = await sharp(picture).raw().toBuffer()
  const [red = 0, , , opacity = 1] = colour.match(/[\d.]+/g)!.map(Number)
  const [dark, light] = [luminance(red * opacity + behind * (1 - opacity)), luminance(behind)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Relative luminance of a grey (WCAG 2.2), approximated by a single power. */
function luminance(grey: number): number {
  return ((grey / 255 + 0.055) / 1.055) ** 2.4
}
