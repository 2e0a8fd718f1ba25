type MailLimit = 'alertMail' | 'orderMail' | 'paymentMail' | 'resetMail' | 'unconfirmedMail'

export interface MailLimits {
  allows(name: MailLimit, key: string): Promise<boolean>
  giveBack(name: MailLimit, key: string): Promise<void>
}

/**
 * Sends a mail to a customer, or drops it if the limit of `key`, their account or mailbox, is reached. A mail
 * that fails does not count.
 */
export async function sendWithinLimit(
  limits: MailLimits,
  limit: MailLimit,
  key: string,
  send: () => Promise<void>,
): Promise<void> {
  if (!(await limits.allows(limit, key))) return
  try {
    await send()
  } catch (error) {
    // The job is retried, and the retry counts against the limit.
    await limits.giveBack(limit, key)
    throw error
  }
}
