import * as z from 'zod/mini'
import { VisitorChoice } from './account.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { EMAIL_LENGTH, NAME_LENGTH, PASSWORD_LENGTH } from './rules.ts'
import { Session } from './session.ts'
import { Acknowledgement, plain, text } from './wire.ts'

const MAX_TOKEN_LENGTH = 200
const NAME_MISSING = 'Name is required'
const PASSWORD_MISSING = 'Password is required'
const CREDENTIALS_MISSING = 'Email and password are required!'
const EMAIL_MISSING = 'Please enter your email address'
const TOKEN_MISSING = 'Invalid or missing reset token'
const CONFIRMATION_TOKEN_MISSING = 'The link is incomplete'
const FIELDS_MISSING = 'Please fill in all fields'
const PASSWORD_SHORT = `Password must be at least ${PASSWORD_LENGTH.shortest} characters`
const RESET_PASSWORD_SHORT = `${PASSWORD_SHORT} long`

const email = (required: string) =>
  plain('Email', required).check(
    z.trim(),
    z.minLength(1, required),
    z.minLength(EMAIL_LENGTH.shortest, `Email must be at least ${EMAIL_LENGTH.shortest} characters`),
    z.maxLength(EMAIL_LENGTH.longest, `Email must be less than ${EMAIL_LENGTH.longest} characters`),
    z.refine(value => z.email().safeParse(value).success, 'Please enter a valid email address'),
  )

/** Rules for a new password. Each rule has its own message; the form shows the first broken one. */
const newPassword = (missing: string, short: string) =>
  plain('Password', missing).check(
    z.minLength(1, missing),
    z.minLength(PASSWORD_LENGTH.shortest, short),
    z.maxLength(PASSWORD_LENGTH.longest, `Password must be less than ${PASSWORD_LENGTH.longest} characters`),
    z.regex(/\p{Lu}/u, 'Password must contain at least one uppercase letter'),
    z.regex(/\p{Ll}/u, 'Password must contain at least one lowercase letter'),
    z.regex(/\p{N}/u, 'Password must contain at least one number'),
    z.regex(/[^\p{L}\p{M}\p{N}\s]/u, 'Password must contain at least one special character'),
  )

/** The register form. The browser and the provider both validate with it. */
export const Registration = z.object({
  name: plain('Name', NAME_MISSING).check(
    z.trim(),
    z.minLength(1, NAME_MISSING),
    z.minLength(NAME_LENGTH.shortest, `Name must be at least ${NAME_LENGTH.shortest} characters`),
    z.maxLength(NAME_LENGTH.longest, `Name must be less than ${NAME_LENGTH.longest} characters`),
    z.regex(/^[\p{L}\p{M} ]*$/u, 'Name can only contain letters and spaces'),
  ),
  email: email('Email is required'),
  password: newPassword(PASSWORD_MISSING, PASSWORD_SHORT),
})
export type Registration = z.output<typeof Registration>

/** The login form. It has no length rules: an impossible password is a wrong password, not a malformed request. */
export const Login = z.object({
  email: plain('Email', CREDENTIALS_MISSING).check(z.trim(), z.minLength(1, CREDENTIALS_MISSING)),
  password: plain('Password', CREDENTIALS_MISSING).check(z.minLength(1, CREDENTIALS_MISSING)),
})
export type Login = z.output<typeof Login>

export const ForgotPassword = z.object({
  email: plain('Email', EMAIL_MISSING).check(z.trim(), z.minLength(1, EMAIL_MISSING)),
})
export type ForgotPassword = z.output<typeof ForgotPassword>

/** The reset form. `confirmation` is not sent to the provider. */
export const PasswordReset = z
  .object({
    password: z.string().check(z.minLength(1, FIELDS_MISSING)),
    confirmation: z.string().check(z.minLength(1, FIELDS_MISSING)),
  })
  .check(
    z.refine(({ password, confirmation }) => password === confirmation, {
      error: 'Passwords do not match',
      path: ['confirmation'],
    }),
    z.refine(({ password }) => password.length >= PASSWORD_LENGTH.shortest, {
      error: RESET_PASSWORD_SHORT,
      path: ['password'],
    }),
  )

const Welcome = z.extend(Session, Acknowledgement.shape)

export const register = endpoint({
  method: 'POST',
  path: '/customer/customer-register',
  input: z.extend(Registration, VisitorChoice.shape),
  output: Welcome,
})

export const login = endpoint({ method: 'POST', path: '/customer/customer-login', input: Login, output: Welcome })

/** Gives the same response whether or not an account has this address. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/forgot-password',
  input: ForgotPassword,
  output: Acknowledgement,
})

/** Confirms the address to which this token was mailed. Anyone who has the token may call it. */
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/customer/confirm-email',
  input: z.object({
    token: text('token', MAX_TOKEN_LENGTH, CONFIRMATION_TOKEN_MISSING).check(
      z.minLength(1, CONFIRMATION_TOKEN_MISSING),
    ),
  }),
  output: Acknowledgement,
})

/** Mails the customer a new confirmation link. */
export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/customer/send-confirmation',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  input: z.object({
    token: text('token', MAX_TOKEN_LENGTH, TOKEN_MISSING).check(z.minLength(1, TOKEN_MISSING)),
    newPassword: newPassword(FIELDS_MISSING, RESET_PASSWORD_SHORT),
  }),
  output: Acknowledgement,
})
