import { SettingsSection } from '#components/accounts/SettingsSection.tsx'
import { Field } from '#components/ui/Field.tsx'
import { EmailForm, NameForm, PasswordForm, type Profile } from '#contract/profile.ts'
import { changeEmail, changeName, changePassword } from '#stores/accounts/profile.ts'
import { AuthForm } from './AuthForm.tsx'
import { NEW_PASSWORD_HINT, PasswordField } from './PasswordField.tsx'
import { PendingEmail } from './PendingEmail.tsx'
import { SettingRow } from './SettingRow.tsx'

/** The forms of the account page below its first. */
export type Setting = 'name' | 'email' | 'password' | 'download' | 'deletion'

interface Props {
  profile: Profile
  /** The open form. */
  open: Setting | null
  onOpen: (setting: Setting) => void
  onClose: () => void
}

/** Name, email address and password, each with a form to change it. One form is open at a time. */
export function LoginDetails({ profile, open, onOpen, onClose }: Props) {
  const { name, email, newEmail } = profile
  const row = (setting: Setting) => ({
    isOpen: open === setting,
    onOpen: () => onOpen(setting),
    onClose,
  })
  /** Closes the form once the change is made. */
  const closing =
    <Form,>(change: (form: Form) => Promise<void>) =>
    async (form: Form) => {
      await change(form)
      onClose()
      return null
    }

  return (
    <SettingsSection id="login-details" title="Login details">
      <ul className="mt-3 divide-y divide-line">
        <SettingRow {...row('name')} label="Name" value={name}>
          <AuthForm label="Change your name" button="Save name" schema={NameForm} send={closing(changeName)}>
            {field => <Field {...field('name')} label="New name" autoComplete="name" defaultValue={name} />}
          </AuthForm>
        </SettingRow>
        <SettingRow
          {...row('email')}
          label="Email"
          value={email}
          note={newEmail && <PendingEmail newEmail={newEmail} />}
        >
          <AuthForm label="Change your email" button="Send a link" schema={EmailForm} send={closing(changeEmail)}>
            {field => (
              <>
                <Field
                  {...field('newEmail')}
                  label="New email"
                  type="email"
                  autoComplete="email"
                  hint="We will email a link to it. Your address changes when you open the link."
                />
                <PasswordField {...field('password')} label="Current password" autoComplete="current-password" />
              </>
            )}
          </AuthForm>
        </SettingRow>
        <SettingRow {...row('password')} label="Password" value="••••••••">
          <AuthForm
            label="Change your password"
            button="Save password"
            schema={PasswordForm}
            send={closing(changePassword)}
          >
            {field => (
              <>
                {/* So that password managers know whose password it is. */}
                <input hidden readOnly name="username" autoComplete="username" value={email} />
                <PasswordField {...field('password')} label="Current password" autoComplete="current-password" />
                <PasswordField
                  {...field('newPassword')}
                  label="New password"
                  autoComplete="new-password"
                  hint={NEW_PASSWORD_HINT}
                />
              </>
            )}
          </AuthForm>
        </SettingRow>
      </ul>
    </SettingsSection>
  )
}
