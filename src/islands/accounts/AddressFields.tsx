import { Field } from '#components/ui/Field.tsx'
import { SelectField } from '#components/ui/SelectField.tsx'
import { COUNTRIES } from '#contract/countries.ts'
import { NO_FIELD } from '#contract/rules.ts'
import { type AddressField, addressFields } from '#lib/accounts/address-fields.ts'
import { PhoneField } from './PhoneField.tsx'

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
  /** Tells the fields' ids apart from those of another address form on the page. */
  scope?: string
  errorOf: (name: keyof Postal<PostName>) => string | undefined
  onEdit: (name: keyof Postal<PostName>, value: string) => void
}

/** The `autocomplete` attribute of each field. */
const FILLED_IN: Record<AddressField['name'], string> = {
  address: 'street-address',
  area: 'address-level3',
  city: 'address-level2',
  province: 'address-level1',
  post: 'postal-code',
}

/** The fields of a shipping address, as the chosen country writes them. */
export function AddressFields<PostName extends 'post' | 'postal'>(props: Props<PostName>) {
  const { values, postName, countryLabel, prefix = '', scope = 'field', errorOf, onEdit } = props
  const partOf = (name: keyof Postal<PostName>) => ({
    name: `${prefix}${name}`,
    id: `${scope}-${prefix}${name}`,
    value: values[name] === NO_FIELD ? '' : values[name],
    error: errorOf(name),
    onChange: ({ target }: { target: { value: string } }) => onEdit(name, target.value),
  })
  return (
    <>
      <SelectField
        {...partOf('country')}
        label={countryLabel}
        empty="Choose a country"
        choices={COUNTRY_CHOICES}
        autoComplete="shipping country-name"
      />
      <Field {...partOf('name')} label="Name" autoComplete="shipping name" />
      {addressFields(values.country).map(({ name, label, isOptional, example }) => (
        <div key={name} className={name === 'address' ? 'sm:col-span-2' : undefined}>
          <Field
            {...partOf(name === 'post' ? postName : name)}
            label={isOptional ? `${label} (optional)` : label}
            placeholder={example && `For example ${example}`}
            aria-required={!isOptional}
            autoComplete={`shipping ${FILLED_IN[name]}`}
          />
        </div>
      ))}
      <PhoneField
        name={`${prefix}phone`}
        id={`${scope}-${prefix}phone`}
        value={values.phone}
        error={errorOf('phone')}
        country={values.country}
        onEdit={value => onEdit('phone', value)}
      />
    </>
  )
}
