import * as z from 'zod/mini'
import { Registration } from './auth.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { Acknowledgement, Id, plain } from './wire.ts'

const PASSWORD_MISSING = 'Please enter your current password'

/** The current password. It has no length rules: an impossible password is a wrong password. */
const CurrentPassword = plain('Password', PASSWORD_MISSING).check(z.minLength(1, PASSWORD_MISSING))

/** The form that asks for the password again before a sensitive change. */
export const CurrentPasswordForm = z.object({ password: CurrentPassword })
export type CurrentPasswordForm = z.output<typeof CurrentPasswordForm>

/** The customer's name and sign-in address. */
export const Profile = z.object({
  name: z.string(),
  email: z.string(),
  /** The address that replaces `email` once the customer opens the link mailed to it; null if there is none. */
  newEmail: z.nullable(z.string()),
})
export type Profile = z.output<typeof Profile>

export const NameForm = z.object({ name: Registration.shape.name })
export const EmailForm = z.object({ newEmail: Registration.shape.email, password: CurrentPassword })
export type EmailForm = z.output<typeof EmailForm>
export const PasswordForm = z.object({ password: CurrentPassword, newPassword: Registration.shape.password })
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

/** Withdraws an unconfirmed change of the email address. */
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

/** One browser in which the customer is signed in. */
const CustomerSession = z.object({
  id: z.string(),
  /** For example 'Chrome on Android'. */
  device: z.string(),
  startedAt: z.iso.datetime(),
  /** When the browser last renewed its token, which it does every few minutes while it is used. */
  lastUsedAt: z.iso.datetime(),
  /** Whether this is the session of the request. */
  isCurrent: z.boolean(),
})
export type CustomerSession = z.output<typeof CustomerSession>

/** The customer's sessions: the current one first, then by last use. */
export const getSessions = endpoint({
  method: 'GET',
  path: '/customer/sessions',
  input: NoInput,
  output: z.object({ sessions: z.array(CustomerSession) }),
  isForCustomers: true,
})

/** Ends one session of the customer at once; also succeeds if it has ended already. */
export const endSession = endpoint({
  method: 'DELETE',
  path: '/customer/sessions/:sessionId',
  input: z.object({ sessionId: Id('sessionId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Ends all sessions of the customer except the current one. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/customer/sessions',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})

/** How long the URL of a download is valid. */
export const DOWNLOAD_SECONDS = 60

/**
 * Returns the path from which the customer's browser downloads a ZIP archive of their data. It is valid for
 * `DOWNLOAD_SECONDS`, in the current session only.
 */
export const requestData = endpoint({
  method: 'POST',
  path: '/customer/data',
  input: CurrentPasswordForm,
  output: z.object({ url: z.string() }),
  isForCustomers: true,
})

/** Schedules the deletion of the account in `DELETION_DAYS` days and ends all sessions of the customer. */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/customer/deletion',
  input: CurrentPasswordForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Cancels the scheduled deletion of the account. */
export const keepAccount = endpoint({
  method: 'DELETE',
  path: '/customer/deletion',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})
