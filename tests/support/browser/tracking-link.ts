import { expect } from 'playwright/test'
import { writtenLetters } from '../provider/mail-folder.ts'

/** The path of the link in the mail to a customer whose subject contains `subject`. */
export async function trackingLinkTo(shop: { dataDir: string }, email: string, subject: string): Promise<string> {
  let path = ''
  await expect(async () => {
    const letters = await writtenLetters(shop)
    const letter = letters.findLast(text => text.includes(`To: ${email}`) && text.includes(subject)) ?? ''
    path = /\/track-order\?token=(?:3D)?[\w.-]+/.exec(letter)?.[0].replace('=3D', '=') ?? ''
    expect(path).not.toBe('')
  }).toPass()
  return path
}
