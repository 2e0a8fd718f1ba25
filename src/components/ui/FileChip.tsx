import { formatBytes } from '#lib/chat/files.ts'
import { Icon } from './Icon.tsx'

interface Props {
  file: File
  isDisabled?: boolean
  /** Why the provider rejected the file. */
  problem?: string | undefined
  onRemove: () => void
}

/** A chosen file with its size, as an item of a list, and the button that removes it. */
export function FileChip({ file, isDisabled, problem, onRemove }: Props) {
  return (
    <li
      className={`flex min-w-0 max-w-full items-center gap-2 rounded-full border bg-sunken py-px pl-3 text-sm ${problem ? 'border-bad' : 'border-transparent'}`}
    >
      <span dir="auto" className="max-w-40 truncate font-medium">
        {file.name}
      </span>
      {problem ? (
        <span className="text-bad">{problem}</span>
      ) : (
        <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
      )}
      <button
        type="button"
        aria-label={`Remove ${file.name}`}
        disabled={isDisabled}
        onClick={onRemove}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full hover:text-bad disabled:opacity-60 [&_svg]:size-4"
      >
        <Icon name="close" />
      </button>
    </li>
  )
}
