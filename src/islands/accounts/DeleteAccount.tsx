import { useEffect, useRef } from 'react'
import { DeletionSection } from '#components/accounts/DeletionSection.tsx'
import { DeletionForm } from '#contract/deletion.ts'
import { deleteAccount } from '#stores/accounts/deletion.ts'
import { AuthForm } from './AuthForm.tsx'
import { PasswordField } from './PasswordField.tsx'

interface Props {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** Deletes the account after asking for the password. */
export function DeleteAccount({ isOpen, onOpen, onClose }: Props) {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.focus()
  }, [isOpen])

  return (
    <DeletionSection id="delete-account">
      {isOpen ? (
        <div ref={form} className="mt-4 max-w-md">
          <AuthForm
            label="Delete your account"
            button="Delete my account"
            schema={DeletionForm}
            send={async form => {
              await deleteAccount(form)
              return '/'
            }}
          >
            {field => <PasswordField {...field('password')} label="Your password" autoComplete="current-password" />}
          </AuthForm>
          <button type="button" onClick={onClose} className="button-quiet mt-2 w-full">
            Cancel
          </button>
        </div>
      ) : (
        <button type="button" onClick={onOpen} className="button-quiet mt-4 w-full sm:w-auto">
          Delete my account …
        </button>
      )}
    </DeletionSection>
  )
}
