import { CURRENCY_SHOWN, shownCurrency } from '#lib/currency.ts'
import { type Currency, DOLLARS, formatPrice } from '#lib/format.ts'
import { dollarsOf, shownAmount, sliderEnds } from '#lib/catalogue/price-range.ts'

const SIDES = ['low', 'high'] as const
type Side = (typeof SIDES)[number]

/**
 * Connects the two thumbs of a price range with its two fields. A thumb at its end of the slider empties its field;
 * thumbs cannot pass each other. Both show the customer's currency. The form submits US dollars: unchanged fields keep
 * exactly their original amounts. Returns a function that shows what the fields held when the page was rendered.
 */
export function connectPriceSlider(root: HTMLFieldSetElement): () => void {
  const find = (selector: string) => root.querySelector<HTMLInputElement>(selector)!
  const thumbs = { low: find('[data-thumb=low]'), high: find('[data-thumb=high]') }
  const fields = { low: find('[name=lowPrice]'), high: find('[name=highPrice]') }
  const code = root.querySelector('[data-currency]')!
  const track = thumbs.low.parentElement!
  const range = { low: Number(thumbs.low.min), high: Number(thumbs.low.max) }
  const largest = Number(fields.low.max)
  const dollars = { low: '', high: '' }
  let currency = DOLLARS
  let ends = range

  function paint() {
    for (const side of SIDES) {
      const amount = Number(thumbs[side].value)
      const percent = (100 * (amount - ends.low)) / (ends.high - ends.low)
      track.style.setProperty(side === 'low' ? '--from' : '--to', `${percent}%`)
      thumbs[side].ariaValueText = formatPrice(100 * amount, { ...currency, rate: 1 })
    }
    // If both meet at the upper end, the lower thumb must be on top, because only it can move away.
    thumbs.low.style.zIndex = Number(thumbs.low.value) > (ends.low + ends.high) / 2 ? '1' : ''
  }

  function followFields() {
    for (const side of SIDES) thumbs[side].value = fields[side].value || String(ends[side])
    paint()
  }

  function show(chosen: Currency) {
    currency = chosen
    ends = sliderEnds({ low: range.low * currency.rate, high: range.high * currency.rate })
    code.textContent = `(${currency.currency})`
    for (const side of SIDES) {
      thumbs[side].min = String(ends.low)
      thumbs[side].max = String(ends.high)
      fields[side].max = String(Math.floor(largest * currency.rate))
      fields[side].placeholder = `${ends[side]}${side === 'high' && root.dataset.price ? '+' : ''}`
      fields[side].value = shownAmount(dollars[side], currency.rate)
    }
    followFields()
  }

  function showFields() {
    for (const side of SIDES) dollars[side] = fields[side].defaultValue
    show(currency)
  }

  /** Input made before this script ran is in US dollars. */
  function takeOver() {
    for (const side of SIDES) {
      const { value, defaultValue } = thumbs[side]
      dollars[side] = fields[side].value
      const isTyped = dollars[side] !== fields[side].defaultValue
      if (!isTyped && Number(value) !== Math.round(Number(defaultValue))) slide(side)
    }
    show(shownCurrency())
  }

  function slide(side: Side) {
    const other = Number(thumbs[side === 'low' ? 'high' : 'low'].value)
    const amount = Number(thumbs[side].value)
    const allowed = side === 'low' ? Math.min(amount, other) : Math.max(amount, other)
    thumbs[side].value = String(allowed)
    fields[side].value = allowed === ends[side] ? '' : String(allowed)
    dollars[side] = dollarsOf(fields[side].value, currency.rate)
    paint()
  }

  for (const side of SIDES) {
    thumbs[side].addEventListener('input', () => slide(side))
    fields[side].addEventListener('input', () => {
      dollars[side] = dollarsOf(fields[side].value, currency.rate)
      followFields()
    })
  }
  root.form?.addEventListener('formdata', ({ formData }) => {
    for (const side of SIDES) {
      if (dollars[side]) formData.set(fields[side].name, dollars[side])
      else formData.delete(fields[side].name)
    }
  })
  addEventListener(CURRENCY_SHOWN, event => show((event as CustomEvent<Currency>).detail))
  takeOver()
  return showFields
}
