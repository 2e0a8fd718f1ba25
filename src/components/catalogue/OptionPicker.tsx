import { MAX_CHIPS } from '#lib/catalogue/option-rows.ts'
import type { Option, ValueState } from '#lib/catalogue/variants.ts'

interface Props {
  options: Option[]
  /** A colour's CSS colour or the address of its picture, by value. */
  swatches: Record<string, string> | undefined
  onChoose: (name: string, value: string) => void
}

/** The names of the fields, in the order of the options. A product has at most three. */
export const OPTION_FIELDS = ['option1', 'option2', 'option3']
const NOTES: Record<ValueState, string> = { buyable: '', soldOut: ' (out of stock)', missing: ' (not available)' }

/** The options of a product as native form controls, which work before React does. */
export function OptionPicker({ options, swatches = {}, onChoose }: Props) {
  return options.map(({ name, values }, at) => {
    const field = OPTION_FIELDS[at]
    if (values.length > MAX_CHIPS)
      return (
        <div key={name} data-native>
          <label htmlFor={field} className="block pb-1.5 text-sm font-semibold">
            {name}
          </label>
          <select
            id={field}
            name={field}
            value={values.find(({ isChosen }) => isChosen)?.value}
            onChange={event => onChoose(name, event.target.value)}
            className="field cursor-pointer"
          >
            {values.map(({ value, state }) => (
              <option key={value} value={value}>
                {value + NOTES[state]}
              </option>
            ))}
          </select>
        </div>
      )
    return (
      <fieldset key={name} data-native>
        <legend className="pb-1.5 text-sm font-semibold">{name}</legend>
        <div className="flex flex-wrap gap-2">
          {values.map(({ value, state, isChosen }) => (
            <label key={value} className="chip" data-state={state}>
              <input
                type="radio"
                name={field}
                value={value}
                checked={isChosen}
                onChange={() => onChoose(name, value)}
              />
              {Object.hasOwn(swatches, value) && <Swatch look={swatches[value]!} />}
              <span dir="auto">
                {value}
                {NOTES[state] && <span className="sr-only">{NOTES[state]}</span>}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    )
  })
}

function Swatch({ look }: { look: string }) {
  if (look.includes('/'))
    return <img src={look} alt="" width={32} height={32} loading="lazy" className="size-8 rounded object-cover" />
  return (
    <span
      className="size-5 shrink-0 rounded-full border border-edge forced-color-adjust-none"
      style={{ background: look }}
    />
  )
}
