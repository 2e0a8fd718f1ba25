import { Field } from '#components/ui/Field.tsx'
import { VisitorChoice } from '#contract/account.ts'
import { Registration } from '#contract/auth.ts'
import { nextPage } from '#page-scripts/accounts/auth-redirect.ts'
import { flashWelcome } from '#lib/accounts/welcome.ts'
import { readVisitorCurrency } from '#lib/visitor-currency.ts'
import { register } from '#stores/accounts/sign-in.ts'
import { loadCurrency } from '#stores/ui/currency.ts'
import { AuthForm } from './AuthForm.tsx'
import { NEW_PASSWORD_HINT, PasswordField } from './PasswordField.tsx'

async function registerCustomer(form: Registration) {
  flashWelcome(await register({ ...form, ...visitorChoice() }), nextPage())
  // As after a login, the next page starts in the customer's currency.
  await loadCurrency()
  return nextPage()
}

/** The currency and country for the new account, from the visitor's choice in the footer; without a guessed country. */
function visitorChoice(): VisitorChoice {
  const { currency, country, isGuess } = readVisitorCurrency() ?? {}
  const choice = { currency, country: isGuess ? undefined : country || undefined }
  return VisitorChoice.safeParse(choice).data ?? {}
}

export function RegisterForm() {
  return (
    <AuthForm label="Register" button="Register" schema={Registration} send={registerCustomer}>
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
