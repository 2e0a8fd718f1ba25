import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { SettingsSkeleton } from '#components/accounts/SettingsSkeleton.tsx'
import { $book } from '#stores/accounts/address-book.ts'
import { $profile, loadProfile } from '#stores/accounts/profile.ts'
import { Blank } from '../ui/Blank.tsx'
import { AddressBook } from './AddressBook.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DownloadData } from './DownloadData.tsx'
import { LoginDetails, type Setting } from './LoginDetails.tsx'
import { SessionList } from './SessionList.tsx'

/** The settings below the account form. While `isWaiting`, they load, but a skeleton is shown. */
export function AccountSettings({ isWaiting = false }: { isWaiting?: boolean }) {
  const load = useStore($profile)
  // One form at a time: several have a field for the current password.
  const [open, setOpen] = useState<Setting | null>(null)
  const close = () => setOpen(null)
  const isBookLoaded = useStore($book) !== undefined
  if (isWaiting || load.state === 'loading' || !isBookLoaded) return <SettingsSkeleton />
  if (load.state === 'ready')
    return (
      <>
        <LoginDetails profile={load.value} open={open} onOpen={setOpen} onClose={close} />
        <AddressBook />
        <SessionList />
        <DownloadData isOpen={open === 'download'} onOpen={() => setOpen('download')} onClose={close} />
        <DeleteAccount isOpen={open === 'deletion'} onOpen={() => setOpen('deletion')} onClose={close} />
      </>
    )
  // This provider cannot change them.
  if (load.state === 'missing') return null
  return (
    <div className="mt-6 max-w-3xl">
      <Blank text="Your login details could not be loaded" onRetry={loadProfile} />
    </div>
  )
}
