import * as z from 'zod/mini'
import { Registration } from './auth.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { Acknowledgement, Id, plain } from './wire.ts'

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

/** One browser in which the customer is signed in. */
const CustomerSession = z.object({
  id: z.string(),
  /** In plain words: 'Chrome on Android'. */
  device: z.string(),
  startedAt: z.iso.datetime(),
  /** When the browser last renewed its token, which it does every few minutes while it is used. */
  lastUsedAt: z.iso.datetime(),
  /** The session that asks. */
  isCurrent: z.boolean(),
})
export type CustomerSession = z.output<typeof CustomerSession>

/** The customer's sessions, this one first, then those used last. */
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

/** Ends all sessions of the customer but the one that asks. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/customer/sessions',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})

/** For how long the address of a download is valid. */
export const DOWNLOAD_SECONDS = 60

/**
 * Returns the path at which the customer's browser downloads a ZIP archive of their data. It is valid for
 * `DOWNLOAD_SECONDS`, in the session that asks.
 */
export const requestData = endpoint({
  method: 'POST',
  path: '/customer/data',
  input: PresentPasswordForm,
  output: z.object({ url: z.string() }),
  isForCustomers: true,
})

/** Has the account erased in `DELETION_DAYS`, and ends all sessions of the customer. */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/customer/deletion',
  input: PresentPasswordForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Takes the deletion back. */
export const keepAccount = endpoint({
  method: 'DELETE',
  path: '/customer/deletion',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})
