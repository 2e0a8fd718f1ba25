import type * as z from 'zod/mini'
import { PasswordReset } from '#contract/auth.ts'
import { ApiError } from '#lib/api.ts'
import { flash } from '#lib/flash.ts'
import { readLinkToken } from '#lib/accounts/link-token.ts'
import { client } from '#stores/client.ts'
import { endSession } from '#stores/accounts/tokens.ts'
import { AuthForm } from './AuthForm.tsx'
import { NEW_PASSWORD_HINT, PasswordField } from './PasswordField.tsx'

async function resetPassword({ password }: z.output<typeof PasswordReset>) {
  try {
    const { message } = await client.api.resetPassword({ token: readLinkToken(), newPassword: password })
    // The reset ended all sessions of the account. With a dead session the login page would redirect away from itself.
    endSession()
    flash('success', message)
    return '/login'
  } catch (error) {
    const wrong = error instanceof ApiError && error.fields?.newPassword
    // The provider's field `newPassword` is called `password` in this form.
    throw wrong ? new ApiError(error.status, error.message, { code: error.code, fields: { password: wrong } }) : error
  }
}

export function ResetPasswordForm() {
  return (
    <AuthForm
      label="Choose a new password"
      button="Save new password"
      schema={PasswordReset}
      send={resetPassword}
      failure="An error occurred"
    >
      {field => (
        <>
          <PasswordField
            {...field('password', 'confirmation')}
            label="New password"
            autoComplete="new-password"
            hint={NEW_PASSWORD_HINT}
          />
          <PasswordField
            {...field('confirmation')}
            label="Confirm password"
            autoComplete="new-password"
            enterKeyHint="go"
          />
        </>
      )}
    </AuthForm>
  )
}
