import type { ReactNode } from 'react'
import { SettingsSection } from './SettingsSection.tsx'

/** The card of the devices on which the customer is logged in. */
export function DevicesSection({ id, children }: { id: string; children: ReactNode }) {
  return (
    <SettingsSection
      id={id}
      title="Your devices"
      text="You are logged in on these devices. Log out any that you do not use or recognise, then change your password."
    >
      {children}
    </SettingsSection>
  )
}

/** A list of one device while it is loading. */
export function SessionSkeleton() {
  return (
    <ul aria-hidden="true" className="mt-3 animate-pulse">
      <li className="py-4">
        <p className="flex h-[1.625rem] items-center font-semibold">
          <span className="w-48 max-w-full rounded bg-sunken px-2.5 py-0.5 text-sm">&nbsp;</span>
        </p>
        <p className="text-sm">&nbsp;</p>
      </li>
    </ul>
  )
}
