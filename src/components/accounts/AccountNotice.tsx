import type { ReactNode } from 'react'

interface Props {
  id: string
  title: string
  text: string
  /** The button. */
  children: ReactNode
}

/** Something about the account that the customer should act on, above a page of the dashboard. */
export function AccountNotice({ id, title, text, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      className="mb-6 flex max-w-3xl flex-col gap-3 rounded-card border border-line bg-accent-soft px-4 py-4 text-sm sm:flex-row sm:items-center sm:justify-between sm:gap-6 sm:px-5"
    >
      <div>
        <h2 id={id} className="text-base">
          {title}
        </h2>
        <p className="mt-1 text-pretty">{text}</p>
      </div>
      {children}
    </section>
  )
}
