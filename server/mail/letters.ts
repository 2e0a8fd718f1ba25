import { button, composeLetter, type LetterContent } from './compose.ts'

/** Says that the link to an order's progress can be forwarded. */
export const NEEDS_NO_LOGIN = 'For 90 days, this link works without logging in. It shows no address and no prices.'

interface Text {
  subject: string
  greeting: string
  before: string
  button: string
  link: string
  after: string
}

/**
 * The letter with the link to choose a new password. Pass `name`, the customer's own text, only for a confirmed
 * address.
 */
export function resetLetter({
  name,
  link,
  minutes,
}: {
  name?: string | undefined
  link: string
  minutes: number
}): LetterContent {
  return letter({
    subject: 'Choose a new password',
    greeting: greetingOf(name),
    before: 'Someone, hopefully you, asked to reset the password of your Piazza account. Choose a new one here:',
    button: 'Choose a new password',
    link,
    after: `The link works once and expires in ${minutes} minutes. If this was not you, you can ignore this email: your password stays as it is.`,
  })
}

export interface ConfirmationLink {
  publicUrl: string
  token: string
  /** How many days the link works. */
  days: number
}

/**
 * The letter with the link that confirms an address. The address may belong to somebody else, so the letter contains no
 * text of the customer's.
 */
export function confirmationLetter({ publicUrl, token, days }: ConfirmationLink): LetterContent {
  return letter({
    subject: 'Confirm your email address',
    greeting: greetingOf(undefined),
    before:
      'Someone, hopefully you, created a Piazza account with this email address. Please confirm that it is yours:',
    button: 'Confirm my email address',
    link: `${publicUrl}/confirm-email?token=${token}`,
    after:
      `The link works once and expires in ${days} days. If this was not you, do not open it: until the address is confirmed, ` +
      'we only email it about paid orders. To take over the account that someone created in your ' +
      `name, choose a new password at ${publicUrl}/forgotpassword: this logs out everyone else.`,
  })
}

export function greetingOf(name: string | undefined): string {
  return name ? `Hello ${name},` : 'Hello,'
}

/** A letter about one link, shown as a button. */
export function letter({ subject, greeting, before, button: label, link, after }: Text): LetterContent {
  return composeLetter(subject, link, [greeting, before, { ...button(label, link), text: link }, after])
}

/** A letter without a link. */
export function note(subject: string, paragraphs: string[]): LetterContent {
  return composeLetter(subject, '', ['Hello,', ...paragraphs])
}
