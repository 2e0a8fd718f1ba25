import type { PresentPasswordForm } from '#contract/profile.ts'
import { DOWNLOAD } from '#lib/accounts/setting-texts.ts'
import { client } from '#stores/client.ts'
import { toast } from '#stores/ui/toasts.ts'
import { type Opening, PasswordSection } from './PasswordSection.tsx'

/** Downloads what the shop stores about the customer, after asking for the password. */
export function DownloadData(opening: Opening) {
  return (
    <PasswordSection
      {...opening}
      {...DOWNLOAD}
      id="download-data"
      action="Download my data"
      send={async form => {
        await downloadData(form)
        opening.onClose()
        return null
      }}
    />
  )
}

/** Starts the browser's download of the customer's data. Throws `ApiError`. */
async function downloadData(form: PresentPasswordForm): Promise<void> {
  const { url } = await client.api.requestData(form)
  // With a `download` link, a failure is shown among the browser's downloads instead of replacing the page.
  const link = Object.assign(document.createElement('a'), { href: url, download: 'my-data.zip' })
  link.click()
  toast('success', 'Your download has started')
}
