import { DELETION } from '#lib/accounts/setting-texts.ts'
import { deleteAccount } from '#stores/accounts/deletion.ts'
import { PasswordSection } from './PasswordSection.tsx'
import type { Opening } from './use-opening.ts'

/** Deletes the account after asking for the password. */
export function DeleteAccount(opening: Opening) {
  return (
    <PasswordSection
      {...opening}
      {...DELETION}
      id="delete-account"
      action="Delete my account"
      send={async form => {
        await deleteAccount(form)
        return '/'
      }}
    />
  )
}
