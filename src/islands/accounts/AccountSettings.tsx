import { useStore } from '@nanostores/react'
import { SettingsSkeleton } from '#components/accounts/SettingsSkeleton.tsx'
import { Blank } from '#components/ui/Blank.tsx'
import { $profile, loadProfile } from '#stores/accounts/profile.ts'
import { LoginDetails } from './LoginDetails.tsx'
import { SessionList } from './SessionList.tsx'

/** The settings below the account form. */
export function AccountSettings() {
  const load = useStore($profile)
  if (load.state === 'loading') return <SettingsSkeleton />
  if (load.state === 'ready')
    return (
      <>
        <LoginDetails profile={load.value} />
        <SessionList />
      </>
    )
  // A provider that cannot change them.
  if (load.state === 'missing') return null
  return (
    <div className="mt-6 max-w-3xl">
      <Blank text="Your login details could not be loaded" onRetry={loadProfile} />
    </div>
  )
}
