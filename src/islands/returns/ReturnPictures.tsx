import { useId, useState } from 'react'
import { FileChip } from '#components/ui/FileChip.tsx'
import type { Return } from '#contract/returns.ts'
import { MAX_RETURN_PICTURES } from '#contract/rules.ts'
import { fitted } from '#lib/chat/files.ts'
import { safeLink } from '#lib/links.ts'
import { ACCEPT_PICTURES, addPictures } from '#lib/returns/pictures.ts'

const THUMBNAIL_PX = 80

/** The pictures of a return; each opens in a tab of its own. */
export function ReturnPictures({ pictures }: Pick<Return, 'pictures'>) {
  if (pictures.length === 0) return null
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-2">
      {pictures.map(picture => (
        <li key={picture.url.split('?')[0]}>
          <a
            href={safeLink(picture.url)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open picture ${picture.originalName}`}
            className="flex size-20 items-center justify-center overflow-hidden rounded-control bg-sunken"
          >
            <img src={safeLink(picture.url)} alt="" decoding="async" {...fitted(picture, THUMBNAIL_PX)} />
          </a>
        </li>
      ))}
    </ul>
  )
}

interface Props {
  label: string
  files: File[]
  /** The number of pictures that the return already has. */
  has?: number
  onChange: (files: File[]) => void
}

/** Chooses pictures for a return, up to the number that it may have. */
export function PicturePicker({ label, files, has = 0, onChange }: Props) {
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
          const next = addPictures(files, [...(target.files ?? [])], has)
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
        {problem ?? `Up to ${MAX_RETURN_PICTURES} of them show the shop what is wrong.`}
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
