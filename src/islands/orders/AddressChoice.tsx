import { useStore } from '@nanostores/react'
import { SelectField } from '#components/ui/SelectField.tsx'
import type { BookAddress } from '#contract/account.ts'
import { $book } from '#stores/accounts/address-book.ts'
import { $address, chooseAddress, entryInForm } from '#stores/accounts/address.ts'

/** The choice among the customer's addresses; nothing without several. `onChoose` runs after one was filled in. */
export function AddressChoice({ onChoose }: { onChoose: () => void }) {
  const book = useStore($book) ?? []
  const address = useStore($address)
  if (book.length < 2) return null

  function choose(id: string) {
    const chosen = book.find(each => each.id === id)
    if (!chosen) return
    chooseAddress(chosen.shippingDetails, chosen.isDefault)
    onChoose()
  }

  return (
    <SelectField
      name="saved-address"
      label="Your addresses"
      empty="Choose one to fill it in"
      aria-required={undefined}
      choices={book.map(each => ({ value: each.id, text: nameOf(each) }))}
      autoComplete="off"
      value={entryInForm(book, address)?.id ?? ''}
      onChange={({ target }) => choose(target.value)}
    />
  )
}

function nameOf({ label, isDefault, shippingDetails: { name, city, country } }: BookAddress): string {
  const own = label || (isDefault ? 'Default address' : name)
  return `${own}: ${[name, city, country].filter(part => part && part !== '-').join(', ')}`
}
