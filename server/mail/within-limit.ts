type MailLimit = 'alertMail' | 'orderMail' | 'paymentMail'

export interface MailLimits {
  allows(name: MailLimit, userId: string): Promise<boolean>
  giveBack(name: MailLimit, userId: string): Promise<void>
}

/** Sends a mail to a customer, or drops it if their daily limit is reached. A mail that fails does not count. */
export async function sendWithinLimit(
  limits: MailLimits,
  limit: MailLimit,
  userId: string,
  send: () => Promise<void>,
): Promise<void> {
  if (!(await limits.allows(limit, userId))) return
  try {
    await send()
  } catch (error) {
    // The job is retried, and the retry counts against the limit.
    await limits.giveBack(limit, userId)
    throw error
  }
}
