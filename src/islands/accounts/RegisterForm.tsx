import { Field } from '#components/ui/Field.tsx'
import { Registration } from '#contract/auth.ts'
import { nextPage } from '#page-scripts/accounts/auth-redirect.ts'
import { flash } from '#lib/flash.ts'
import { register } from '#stores/accounts/session.ts'
import { AuthForm } from './AuthForm.tsx'
import { NEW_PASSWORD_HINT, PasswordField } from './PasswordField.tsx'

async function send(form: Registration) {
  flash('success', await register(form))
  return nextPage()
}

export function RegisterForm() {
  return (
    <AuthForm label="Register" button="Register" schema={Registration} send={send}>
      {field => (
        <>
          <Field {...field('name')} label="Name" autoComplete="name" autoCapitalize="words" />
          <Field {...field('email')} label="Email" type="email" autoComplete="email" />
          <PasswordField
            {...field('password')}
            label="Password"
            autoComplete="new-password"
            enterKeyHint="go"
            hint={NEW_PASSWORD_HINT}
          />
        </>
      )}
    </AuthForm>
  )
}
