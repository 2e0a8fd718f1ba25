import type { CurrentPasswordForm } from '#contract/profile.ts'
import { client } from '../client.ts'
import { toast } from '../ui/toasts.ts'

/** Starts the browser's download of the customer's data. Throws `ApiError`. */
export async function downloadData(form: CurrentPasswordForm): Promise<void> {
  const { url } = await client.api.requestData(form)
  // With a `download` link, a failure is shown among the browser's downloads instead of replacing the page.
  const link = Object.assign(document.createElement('a'), { href: url, download: 'my-data.zip' })
  link.click()
  toast('success', 'Your download has started')
}
