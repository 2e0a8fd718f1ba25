import { ADDRESS_BOOK, DELETION, DOWNLOAD } from '#lib/accounts/setting-texts.ts'
import { DevicesSection, SessionSkeleton } from './DevicesSection.tsx'
import { SettingsSection } from './SettingsSection.tsx'

const ROWS = ['Name', 'Email', 'Password']

/**
 * The settings of the account page while they are loading, as tall as those of a customer with one device and no
 * address.
 */
export function SettingsSkeleton() {
  return (
    <div aria-hidden="true" className="animate-pulse">
      <SettingsSection id="loading-login" title="Login details">
        <ul className="mt-3 divide-y divide-line">
          {ROWS.map(name => (
            <li key={name} className="py-4">
              <p className="flex h-11 items-center font-semibold sm:h-6">{name}</p>
              <div className="mt-0.5">
                <span className="inline-block w-48 max-w-full rounded bg-sunken">&nbsp;</span>
              </div>
            </li>
          ))}
        </ul>
      </SettingsSection>
      <SettingsSection {...ADDRESS_BOOK} id="loading-addresses">
        <div className="mt-5 h-11 w-full rounded-control bg-sunken sm:w-44" />
      </SettingsSection>
      <DevicesSection id="loading-devices">
        <SessionSkeleton />
      </DevicesSection>
      <SettingsSection {...DOWNLOAD} id="loading-download">
        <div className="mt-4 h-11 w-full rounded-control bg-sunken sm:w-44" />
      </SettingsSection>
      <SettingsSection {...DELETION} id="loading-deletion">
        <div className="mt-4 h-11 w-full rounded-control bg-sunken sm:w-44" />
      </SettingsSection>
    </div>
  )
}
