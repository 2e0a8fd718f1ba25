import { AccountSections } from './AccountSections.tsx'

const ACCOUNT = ['country', 'currency']
const ADDRESS = ['country', 'name', 'address', 'area', 'city', 'province', 'postal', 'phone']
/** The field with a hint below it. */
const HINTED = 'phone'

/** The account form while the account is loading. */
export function AccountSkeleton() {
  return (
    <div aria-busy="true" className="animate-pulse">
      <output className="sr-only">Loading your details</output>
      <div aria-hidden="true">
        <AccountSections account={lines(ACCOUNT)} shipping={lines(ADDRESS)}>
          <div className="h-11 rounded-control bg-sunken sm:w-44" />
        </AccountSections>
      </div>
    </div>
  )
}

function lines(names: string[]) {
  return names.map(name => (
    <div key={name} className={name === 'address' ? 'sm:col-span-2' : ''}>
      <div className="mb-1 flex h-[1.625rem] items-center">
        <div className="h-4 w-24 rounded bg-sunken" />
      </div>
      <div className="h-11 rounded-control bg-sunken" />
      <div className={name === HINTED ? 'h-[2.125rem]' : 'h-7'} />
    </div>
  ))
}
