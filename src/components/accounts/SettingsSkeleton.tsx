import { SettingsSection } from './SettingsSection.tsx'

const ROWS = ['Name', 'Email', 'Password']

/** The settings of the account page while they are loading. */
export function SettingsSkeleton() {
  return (
    <div aria-hidden="true" className="animate-pulse">
      <SettingsSection id="loading-login" title="Login details">
        <ul className="mt-3 divide-y divide-line">
          {ROWS.map(name => (
            <li key={name} className="py-4">
              <p className="font-semibold">{name}</p>
              <div className="mt-1 h-5 w-48 max-w-full rounded bg-sunken" />
            </li>
          ))}
        </ul>
      </SettingsSection>
    </div>
  )
}
