import * as z from 'zod/mini'
import { Registration } from './auth.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { Acknowledgement, plain } from './wire.ts'

const PASSWORD_MISSING = 'Please enter your current password'

/** The password that the customer has now. Any text: an impossible password is a wrong one. */
const PresentPassword = plain('Password', PASSWORD_MISSING).check(z.minLength(1, PASSWORD_MISSING))

/** Asks for the password again before something that only the customer may do. */
export const PresentPasswordForm = z.object({ password: PresentPassword })
export type PresentPasswordForm = z.output<typeof PresentPasswordForm>

/** How the customer signs in. */
export const Profile = z.object({
  name: z.string(),
  email: z.string(),
  /** The address that replaces `email` once the customer opens the link mailed to it; null if there is none. */
  newEmail: z.nullable(z.string()),
})
export type Profile = z.output<typeof Profile>

export const NameForm = z.object({ name: Registration.shape.name })
export const EmailForm = z.object({ newEmail: Registration.shape.email, password: PresentPassword })
export type EmailForm = z.output<typeof EmailForm>
export const PasswordForm = z.object({ password: PresentPassword, newPassword: Registration.shape.password })
export type PasswordForm = z.output<typeof PasswordForm>

export const getProfile = endpoint({
  method: 'GET',
  path: '/customer/profile',
  input: NoInput,
  output: Profile,
  isForCustomers: true,
})

export const changeName = endpoint({
  method: 'PUT',
  path: '/customer/name',
  input: NameForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Mails a link to the new address. The address changes when the link is opened (`confirmEmail`). */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/customer/email',
  input: EmailForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Withdraws a change of the address that is not confirmed yet. */
export const keepEmail = endpoint({
  method: 'DELETE',
  path: '/customer/email',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Ends all other sessions of the customer. */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/customer/password',
  input: PasswordForm,
  output: Acknowledgement,
  isForCustomers: true,
})
