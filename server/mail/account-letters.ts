import type { AccountMail } from '../platform/job-data.ts'
import { letter, note, type Words } from './letters.ts'

/** The letter with the link that makes this the address of an account. Contains no text of the customer's. */
export function newAddressLetter({
  publicUrl,
  token,
  days,
}: {
  publicUrl: string
  token: string
  days: number
}): Words {
  return letter({
    subject: 'Confirm your new email address',
    greeting: 'Hello,',
    before:
      'somebody, hopefully you, wants to use this email address for their account at Piazza. Confirm that it is yours:',
    button: 'Use this email address',
    link: `${publicUrl}/confirm-email?token=${token}`,
    after: `The link works once, within ${days} days. If it was not you, there is nothing to do: without the link nothing changes.`,
  })
}

/** '8 December 2026', in UTC. */
export function dayInWords(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment))
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
}): Words {
  const later = waitsForOrders ? ' Orders that are not shipped yet come first: we wait for them.' : ''
  return letter({
    subject: 'Your account will be deleted',
    greeting: 'Hello,',
    before: `as you asked, your account at Piazza will be deleted on ${dayInWords(at)}.${later} Until then you can change your mind: log in and choose “Keep my account”.`,
    button: 'Log in to keep it',
    link: `${publicUrl}/login?next=%2Fdashboard%2Faccount`,
    after:
      'Orders stay with their amounts, as the law requires; everything else goes. If it was not you, log in, keep the account and change your password.',
  })
}

const CHOOSE_A_NEW_ONE =
  'If it was not you, open our shop as you always do, choose a new password with “Forgot password?” on the login page, ' +
  'and check your account. That signs everybody else out.'

/** Words of the notices about changes of an account. They contain no links, so that nobody learns to follow such links. */
const NOTICES: Record<AccountMail['kind'], { subject: string; text: string[] }> = {
  emailChangeRequested: {
    subject: 'Somebody wants to change your email address',
    text: [
      'somebody, hopefully you, asked for another email address for your account at Piazza. This one stays in use until the new one is confirmed.',
      `${CHOOSE_A_NEW_ONE} It also cancels the change.`,
    ],
  },
  emailChanged: {
    subject: 'Your email address is changed',
    text: [
      'your account at Piazza has a new email address, as you asked. From now on you log in with that one, and we no longer write to this one.',
      'If it was not you, reply to this mail at once: we stop the account and give it back to you.',
    ],
  },
  erased: {
    subject: 'Your account is deleted',
    text: [
      'as you asked, your account at Piazza is deleted. What remains are the amounts of your orders, without your name and address, as the law requires.',
      'Thank you for having shopped with us.',
    ],
  },
  passwordChanged: {
    subject: 'Your password is changed',
    text: [
      'the password of your account at Piazza has been changed. All other devices have been signed out.',
      CHOOSE_A_NEW_ONE,
    ],
  },
}

/** A notice about a change of an account. */
export function accountNotice({ kind }: Pick<AccountMail, 'kind'>): Words {
  const { subject, text } = NOTICES[kind]
  return note(subject, text)
}
