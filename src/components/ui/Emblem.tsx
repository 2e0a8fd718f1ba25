import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'

/** The drawing above the words of a view in which there is nothing. */
export function Emblem({ name }: ComponentProps<typeof Icon>) {
  return (
    <span className="inline-flex size-16 items-center justify-center rounded-full bg-accent-soft text-accent [&>svg]:size-8">
      <Icon name={name} />
    </span>
  )
}
