type Side = 'low' | 'high'

/**
 * Joins the two thumbs of a price range with its two fields: a thumb at its end of the slider empties its field, and no
 * thumb passes the other.
 */
export function connectPriceSlider(root: HTMLElement): { showFields(): void } {
  const find = (selector: string) => root.querySelector<HTMLInputElement>(selector)!
  const thumbs = { low: find('[data-thumb=low]'), high: find('[data-thumb=high]') }
  const fields = { low: find('[name=lowPrice]'), high: find('[name=highPrice]') }
  const track = thumbs.low.parentElement!
  const ends = { low: Number(thumbs.low.min), high: Number(thumbs.low.max) }

  function paint() {
    for (const side of ['low', 'high'] as const) {
      const dollars = Number(thumbs[side].value)
      const percent = (100 * (dollars - ends.low)) / (ends.high - ends.low)
      track.style.setProperty(side === 'low' ? '--from' : '--to', `${percent}%`)
      thumbs[side].setAttribute('aria-valuetext', `$${dollars}`)
    }
    // Where both meet at the upper end, only the lower one can still move away.
    thumbs.low.style.zIndex = Number(thumbs.low.value) > (ends.low + ends.high) / 2 ? '1' : ''
  }

  function showFields() {
    for (const side of ['low', 'high'] as const) thumbs[side].value = fields[side].value || String(ends[side])
    paint()
  }

  function slide(side: Side) {
    const other = Number(thumbs[side === 'low' ? 'high' : 'low'].value)
    const dollars = Number(thumbs[side].value)
    const allowed = side === 'low' ? Math.min(dollars, other) : Math.max(dollars, other)
    thumbs[side].value = String(allowed)
    fields[side].value = allowed === ends[side] ? '' : String(allowed)
    paint()
  }

  for (const side of ['low', 'high'] as const) {
    thumbs[side].addEventListener('input', () => slide(side))
    fields[side].addEventListener('input', showFields)
  }
  showFields()
  return { showFields }
}
