import type { AccountMail } from '../platform/job-data.ts'
import type { LetterContent } from './compose.ts'
import { writeFullDate } from './dates.ts'
import { type ConfirmationLink, letter, note } from './letters.ts'

/** The letter with the link that makes this the address of an account. Contains no text of the customer's. */
export function newAddressLetter({ publicUrl, token, days }: ConfirmationLink): LetterContent {
  return letter({
    subject: 'Confirm your new email address',
    greeting: 'Hello,',
    before:
      'Someone, hopefully you, wants to use this email address for a Piazza account. Please confirm that it is yours:',
    button: 'Use this email address',
    link: `${publicUrl}/confirm-email?token=${token}`,
    after: `The link works once and expires in ${days} days. If this was not you, you can ignore this email: nothing changes unless the link is opened.`,
  })
}

/** The letter that says when an account is erased, with the link to keep it. */
export function deletionLetter({
  publicUrl,
  at,
  waitsForOrders,
}: {
  publicUrl: string
  at: string
  waitsForOrders: boolean
}): LetterContent {
  const later = waitsForOrders
    ? ' If you have orders that have not arrived or returns that are not complete yet, we wait for them.'
    : ''
  return letter({
    subject: 'Your account will be deleted',
    greeting: 'Hello,',
    before: `As you asked, we will delete your Piazza account on ${writeFullDate(at)}.${later} Until then you can change your mind: log in and choose “Keep my account”.`,
    button: 'Log in to keep it',
    link: `${publicUrl}/login?next=%2Fdashboard%2Faccount`,
    after:
      'We keep the amounts of your orders, as the law requires, and delete everything else. If this was not you, log in, keep the account and change your password.',
  })
}

const CHOOSE_A_NEW_ONE =
  'If this was not you, open Piazza the way you usually do, set a new password with “Reset password” on the login page, ' +
  'and check your account. This logs out everyone else.'

/**
 * Words of the notices about changes of an account. They contain no links, so that nobody learns to follow such links.
 */
const NOTICES: Record<AccountMail['kind'], { subject: string; text: string[] }> = {
  emailChangeRequested: {
    subject: 'A request to change your email address',
    text: [
      'Someone, hopefully you, asked to change the email address of your Piazza account. This address stays in use until the new one is confirmed.',
      `${CHOOSE_A_NEW_ONE} A new password also cancels this change.`,
    ],
  },
  emailChanged: {
    subject: 'Your email address has been changed',
    text: [
      'Your Piazza account has a new email address, as you asked. From now on, log in with that one; we will no longer write to this one.',
      'If this was not you, reply to this email right away: we will lock the account and return it to you.',
    ],
  },
  erased: {
    subject: 'Your account has been deleted',
    text: [
      'As you asked, we have deleted your Piazza account. We keep only the amounts of your orders, without your name and address, as the law requires.',
      'Thank you for shopping with us.',
    ],
  },
  passwordChanged: {
    subject: 'Your password has been changed',
    text: [
      'The password of your Piazza account has been changed. All other devices have been logged out.',
      CHOOSE_A_NEW_ONE,
    ],
  },
}

/** A notice about a change of an account. */
export function accountNotice({ kind }: Pick<AccountMail, 'kind'>): LetterContent {
  const { subject, text } = NOTICES[kind]
  return note(subject, text)
}
