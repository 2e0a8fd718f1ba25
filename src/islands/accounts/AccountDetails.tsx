import { AccountSections } from '#components/accounts/AccountSections.tsx'
import { SelectField } from '#components/ui/SelectField.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { type Account, AccountForm as Form } from '#contract/account.ts'
import { CURRENCIES } from '#contract/currencies.ts'
import { asSent } from '#lib/accounts/address-fields.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { $account, updateAccount } from '#stores/accounts/account.ts'
import { loadBook } from '#stores/accounts/address-book.ts'
import { AddressFields, COUNTRY_CHOICES } from './AddressFields.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import { useAccountDraft } from './use-account-draft.ts'

type Address = Account['shippingDetails']

interface Props {
  account: Account
  customerId: string
}

const currencies = CURRENCIES.map(({ code, name }) => ({ value: code, text: `${code}, ${name}` }))

export function AccountDetails({ account, customerId }: Props) {
  const draft = useAccountDraft(account, customerId)
  const { values } = draft
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({
    schema: Form,
    read: () => ({ ...values, shippingDetails: asSent(values.shippingDetails) }),
    invalid: 'Please fix the errors before submitting',
    failure: 'Something went wrong',
    async send(form) {
      if (draft.isSaved()) return
      draft.setSent(form.shippingDetails)
      await updateAccount(form)
      void loadBook()
      const saved = $account.get()
      draft.markSaved(saved.state === 'ready' ? saved.account : values)
    },
  })

  function edit(path: string, change: (now: Account) => Account) {
    draft.edit(change)
    setErrors(now => ({ ...now, [path]: undefined }))
  }

  function editAddress(name: keyof Address, value: string) {
    edit(`shippingDetails.${name}`, now => ({ ...now, shippingDetails: { ...now.shippingDetails, [name]: value } }))
  }

  function discard() {
    focusContent()
    draft.discard()
    setErrors({})
  }

  return (
    <form noValidate aria-label="Update Account Information" onSubmit={onSubmit}>
      {draft.hasRestoredEdits && (
        <p className="mb-5 max-w-3xl rounded-control bg-accent-soft px-4 py-3">
          Your earlier changes are filled in but not saved yet.{' '}
          <button type="button" onClick={discard} className="link">
            Discard them
          </button>
        </p>
      )}
      <AccountSections
        account={
          <>
            <SelectField
              name="country"
              label="Country"
              empty="Choose a country"
              choices={COUNTRY_CHOICES}
              autoComplete="country-name"
              value={values.country}
              error={errors.country}
              onChange={({ target }) => edit('country', now => ({ ...now, country: target.value }))}
            />
            <SelectField
              name="currency"
              label="Currency"
              empty="Choose a currency"
              choices={currencies}
              autoComplete="transaction-currency"
              value={values.currency}
              error={errors.currency}
              onChange={({ target }) => edit('currency', now => ({ ...now, currency: target.value }))}
            />
          </>
        }
        shipping={
          <AddressFields
            values={values.shippingDetails}
            postName="postal"
            countryLabel="Shipping country"
            prefix="shippingDetails."
            errorOf={name => errors[`shippingDetails.${name}`]}
            onEdit={editAddress}
          />
        }
      >
        <BusyButton isBusy={isBusy} aria-disabled={isBusy} className="button w-full sm:w-44">
          Save changes
        </BusyButton>
      </AccountSections>
    </form>
  )
}
