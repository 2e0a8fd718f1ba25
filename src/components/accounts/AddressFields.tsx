import { COUNTRIES } from '#contract/countries.ts'
import { Field } from '../ui/Field.tsx'
import { SelectField } from '../ui/SelectField.tsx'

/** The contract's countries as choices of a select field. */
export const COUNTRY_CHOICES = COUNTRIES.map(name => ({ value: name, text: name }))

/** An address as form values. Its postal code is called `post` or `postal`. */
type Postal<Name extends string> = Record<
  'name' | 'phone' | 'address' | 'area' | 'city' | 'province' | 'country' | Name,
  string
>

interface Props<PostName extends 'post' | 'postal'> {
  values: Postal<PostName>
  postName: PostName
  countryLabel: string
  /** Prefix of the fields' names in the form. */
  prefix?: string
  errorOf: (name: keyof Postal<PostName>) => string | undefined
  onEdit: (name: keyof Postal<PostName>, value: string) => void
}

const WIDE = 'sm:col-span-2'

/** The fields of a shipping address, with autocomplete. */
export function AddressFields<PostName extends 'post' | 'postal'>(props: Props<PostName>) {
  const { values, postName, countryLabel, prefix = '', errorOf, onEdit } = props
  const lines: { name: keyof Postal<PostName>; label: string; filledIn: string; type?: string; className?: string }[] =
    [
      { name: 'name', label: 'Name', filledIn: 'name' },
      { name: 'phone', label: 'Phone', filledIn: 'tel', type: 'tel' },
      { name: 'address', label: 'Address', filledIn: 'street-address', className: WIDE },
      { name: 'area', label: 'Area', filledIn: 'address-level3' },
      { name: 'city', label: 'City', filledIn: 'address-level2' },
      { name: 'province', label: 'Province', filledIn: 'address-level1' },
      { name: postName, label: 'Postal code', filledIn: 'postal-code' },
    ]
  const partOf = (name: keyof Postal<PostName>) => ({
    name: `${prefix}${name}`,
    value: values[name],
    error: errorOf(name),
    onChange: ({ target }: { target: { value: string } }) => onEdit(name, target.value),
  })
  return (
    <>
      {lines.map(({ name, filledIn, className, ...line }) => (
        <div key={name} className={className}>
          <Field {...line} {...partOf(name)} autoComplete={`shipping ${filledIn}`} />
        </div>
      ))}
      <SelectField
        {...partOf('country')}
        label={countryLabel}
        empty="Choose a country"
        choices={COUNTRY_CHOICES}
        autoComplete="shipping country-name"
      />
    </>
  )
}
