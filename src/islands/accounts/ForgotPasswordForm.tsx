import { useState } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { ForgotPassword } from '#contract/auth.ts'
import { RESET_MINUTES } from '#contract/rules.ts'
import { client } from '#stores/client.ts'
import { toast } from '#stores/ui/toasts.ts'
import { AuthForm } from './AuthForm.tsx'

export function ForgotPasswordForm() {
  const [isSent, setSent] = useState(false)

  async function requestReset(form: ForgotPassword) {
    const { message } = await client.api.forgotPassword(form)
    toast('success', message)
    setSent(true)
    return null
  }

  return (
    <AuthForm
      label="Reset password"
      button="Reset Password"
      schema={ForgotPassword}
      send={requestReset}
      failure="An error occurred"
    >
      {field => (
        <>
          <Field {...field('email')} label="Email" type="email" autoComplete="username" enterKeyHint="send" />
          <output className={isSent ? 'mb-3 block rounded-control bg-accent-soft px-4 py-3 text-sm' : 'sr-only'}>
            {isSent && `Check your inbox and your spam folder. The link works for ${RESET_MINUTES} minutes.`}
          </output>
        </>
      )}
    </AuthForm>
  )
}
