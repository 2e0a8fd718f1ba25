import { Field } from '#components/ui/Field.tsx'
import { Login } from '#contract/auth.ts'
import { nextPage } from '#page-scripts/accounts/auth-redirect.ts'
import { flashWelcome } from '#lib/accounts/welcome.ts'
import { loadCurrency } from '#stores/ui/currency.ts'
import { signIn } from '#stores/accounts/sign-in.ts'
import { AuthForm } from './AuthForm.tsx'
import { PasswordField } from './PasswordField.tsx'

async function logIn(form: Login) {
  flashWelcome(await signIn(form), nextPage())
  // Loaded here so that the next page starts in the customer's currency.
  await loadCurrency()
  return nextPage()
}

export function LoginForm() {
  return (
    <AuthForm label="Log in" button="Log in" schema={Login} send={logIn}>
      {field => (
        <>
          <Field {...field('email')} label="Email" type="email" autoComplete="username" />
          <PasswordField {...field('password')} label="Password" autoComplete="current-password" enterKeyHint="go" />
        </>
      )}
    </AuthForm>
  )
}
