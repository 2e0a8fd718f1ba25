import { useId, useState } from 'react'
import { ACCEPT_PICTURES, addPictures } from '#lib/chat/pictures.ts'
import { FileChip } from './FileChip.tsx'

interface Props {
  label: string
  files: File[]
  /** How many can be chosen. */
  most: number
  hint: string
  onChange: (files: File[]) => void
}

/** Chooses pictures to send, and lists the chosen ones. */
export function PicturePicker({ label, files, most, hint, onChange }: Props) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="file"
        multiple
        accept={ACCEPT_PICTURES}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => {
          const next = addPictures(files, [...(target.files ?? [])], most)
          target.value = ''
          setProblem(next.problem)
          onChange(next.files)
        }}
        className="block w-full min-w-0 text-sm file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-line file:bg-surface file:px-4 file:font-semibold file:text-ink"
      />
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`pt-1 text-sm ${problem ? 'font-medium text-bad' : 'text-muted'}`}
      >
        {problem ?? hint}
      </p>
      {files.length > 0 && (
        <ul aria-label="Chosen pictures" className="mt-2 flex flex-wrap gap-2">
          {files.map((file, at) => (
            // Use the index as key: the same file may be chosen twice.
            <FileChip key={at} file={file} onRemove={() => onChange(files.filter(each => each !== file))} />
          ))}
        </ul>
      )}
    </div>
  )
}
