import type { ReactNode } from 'react'

interface Props {
  id: string
  title: string
  text?: string
  children: ReactNode
}

/** A card of the account page below the form. */
export function SettingsSection({ id, title, text, children }: Props) {
  return (
    <section aria-labelledby={id} className="card mt-6 max-w-3xl p-4 sm:p-8">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {text && <p className="mt-1 text-pretty text-sm text-muted">{text}</p>}
      {children}
    </section>
  )
}
