import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { SettingsSection } from '#components/accounts/SettingsSection.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { BookAddress } from '#contract/account.ts'
import { findDraft } from '#lib/accounts/drafts.ts'
import { ownAddressLines } from '#lib/accounts/address-fields.ts'
import { ADDRESS_BOOK } from '#lib/accounts/setting-texts.ts'
import { $book, addAddress, changeAddress, makeDefaultAddress, removeAddress } from '#stores/accounts/address-book.ts'
import { $customerId } from '#stores/accounts/session.ts'
import { useAction } from '../ui/use-action.ts'
import { AddressForm, DRAFT, NEW } from './AddressForm.tsx'

/** The customer's addresses: the default one, which the form above changes, and the others with forms of their own. */
export function AddressBook() {
  const book = useStore($book) ?? []
  // The session may end while a form is open.
  const [customerId] = useState(() => $customerId.get() ?? '')
  /** The id of the address in the form; `NEW` while the form for a new one is open. */
  const [open, setOpen] = useState(() => findDraft(DRAFT, customerId))
  const [isRestored, setIsRestored] = useState(open !== null)
  const list = useRef<HTMLUListElement>(null)
  /** The button that was clicked is no longer there. */
  const focusList = () => list.current?.focus()
  function openForm(id: string) {
    setIsRestored(false)
    setOpen(id)
  }
  function close() {
    setOpen(null)
    focusList()
  }

  return (
    <SettingsSection {...ADDRESS_BOOK} id="address-book">
      <ul ref={list} tabIndex={-1} aria-labelledby="address-book" className="mt-3 divide-y divide-line">
        {book.map(address => (
          <li key={address.id} className="py-4">
            {open === address.id ? (
              <AddressForm
                title={`Change ${nameOf(address)}`}
                button="Save address"
                customerId={customerId}
                isRestored={isRestored}
                saved={address}
                send={form => changeAddress({ addressId: address.id, ...form })}
                onClose={close}
              />
            ) : (
              <Entry address={address} onChange={() => openForm(address.id)} onGone={focusList} />
            )}
          </li>
        ))}
      </ul>
      {open === NEW ? (
        <AddressForm
          title="New address"
          button="Add address"
          customerId={customerId}
          isRestored={isRestored}
          send={addAddress}
          onClose={close}
        />
      ) : (
        <button type="button" onClick={() => openForm(NEW)} className="button-quiet mt-2 w-full sm:w-auto">
          Add an address
        </button>
      )}
    </SettingsSection>
  )
}

interface EntryProps {
  address: BookAddress
  onChange: () => void
  /** Runs when the address has left its place in the list. */
  onGone: () => void
}

function Entry({ address, onChange, onGone }: EntryProps) {
  const { id, isDefault, shippingDetails } = address
  const name = nameOf(address)
  const { postal, ...lines } = shippingDetails
  const making = useAction(async () => {
    await makeDefaultAddress(id)
    onGone()
  })
  const removing = useAction(async () => {
    await removeAddress(id)
    onGone()
  })

  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-start sm:justify-between">
      <div className="min-w-0 break-words">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base font-semibold">
          {name}
          {isDefault && (
            <span className="rounded-full bg-good/10 px-2.5 py-0.5 text-sm font-medium text-good">Default</span>
          )}
        </h3>
        <address className="mt-0.5 not-italic text-muted">
          {[shippingDetails.name, ...ownAddressLines({ ...lines, post: postal })].join(', ')}
        </address>
      </div>
      {!isDefault && (
        <div className="flex flex-wrap gap-2 sm:shrink-0">
          <button type="button" onClick={onChange} className="button-quiet">
            Change<span className="sr-only"> {name}</span>
          </button>
          <BusyButton
            type="button"
            isBusy={making.isBusy}
            aria-label={`Make default: ${name}`}
            onClick={making.run}
            className="button-quiet"
          >
            Make default
          </BusyButton>
          <BusyButton type="button" isBusy={removing.isBusy} onClick={removing.run} className="button-quiet">
            Remove<span className="sr-only"> {name}</span>
          </BusyButton>
        </div>
      )}
    </div>
  )
}

function nameOf({ label, isDefault, shippingDetails: { name } }: BookAddress): string {
  return label || (isDefault ? 'Default address' : name)
}
