import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'

/** The icon above the text of an empty view. */
export function Emblem({ name }: ComponentProps<typeof Icon>) {
  return (
    <span className="inline-flex size-16 items-center justify-center rounded-full bg-accent-soft text-accent [&>svg]:size-8">
      <Icon name={name} />
    </span>
  )
}
