import { DOWNLOAD } from '#lib/accounts/setting-texts.ts'
import { downloadData } from '#stores/accounts/personal-data.ts'
import { PasswordSection } from './PasswordSection.tsx'
import type { Opening } from './use-opening.ts'

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
