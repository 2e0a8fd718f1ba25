import { SettingsSection } from '#components/accounts/SettingsSection.tsx'
import { CurrentPasswordForm } from '#contract/profile.ts'
import { AuthForm } from './AuthForm.tsx'
import { PasswordField } from './PasswordField.tsx'
import { type Opening, useOpening } from './use-opening.ts'

interface Props extends Opening {
  id: string
  title: string
  text: string
  /** What the button does, such as 'Delete my account'. */
  action: string
  /** Submits the password. Returns the path of the next page, or null to stay. */
  send: (form: CurrentPasswordForm) => Promise<string | null>
}

/** A card of the account page with a button that asks for the password first. */
export function PasswordSection({ id, title, text, action, send, isOpen, onOpen, onClose }: Props) {
  const { opener, form } = useOpening({ isOpen })

  return (
    <SettingsSection id={id} title={title} text={text}>
      {isOpen ? (
        <div ref={form} className="mt-4 max-w-md">
          <AuthForm label={title} button={action} schema={CurrentPasswordForm} send={send}>
            {field => <PasswordField {...field('password')} label="Your password" autoComplete="current-password" />}
          </AuthForm>
          <button type="button" onClick={onClose} className="button-quiet mt-2 w-full">
            Cancel
          </button>
        </div>
      ) : (
        <button ref={opener} type="button" onClick={onOpen} className="button-quiet mt-4 w-full sm:w-auto">
          {action} …
        </button>
      )}
    </SettingsSection>
  )
}
