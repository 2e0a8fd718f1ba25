import { useEffect, useRef } from 'react'
import { SettingsSection } from '#components/accounts/SettingsSection.tsx'
import { DeletionForm } from '#contract/deletion.ts'
import { DELETION_DAYS } from '#contract/rules.ts'
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
    <SettingsSection
      id="delete-account"
      title="Delete your account"
      text={`You have ${DELETION_DAYS} days to change your mind. Then everything goes but the amounts of your orders, which the law has us keep. Orders that are still to be shipped come first.`}
    >
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
    </SettingsSection>
  )
}
