import { useId, useRef, useState } from 'react'
import { ACCEPT_PICTURES, addPictures } from '#lib/chat/pictures.ts'
import { safeLink } from '#lib/links.ts'
import { ChosenPicture, PictureTile, TILE_PICTURE } from './PictureTile.tsx'
import { Icon } from './Icon.tsx'

/** A picture that was sent earlier. */
interface SentPicture {
  _id: string
  thumbnail: string
}

interface Props<Sent extends SentPicture> {
  label: string
  files: File[]
  /** How many there may be, with those that were sent earlier. */
  most: number
  hint: string
  isDisabled?: boolean
  onChange: (files: File[]) => void
  /** Those sent earlier that stay. */
  kept?: Sent[]
  onKeptChange?: (kept: Sent[]) => void
}

/** Chooses pictures to send, and shows the chosen ones, each with a button that removes it. */
export function PicturePicker<Sent extends SentPicture>(props: Props<Sent>) {
  const { label, files, most, hint, isDisabled, onChange, kept = [], onKeptChange } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(files)
  const [problem, setProblem] = useState<string>()

  function change(next: File[], why?: string) {
    // Several pictures may turn out to be broken before this is rendered again.
    latest.current = next
    setProblem(why)
    onChange(next)
  }

  function remove(file: File, why?: string) {
    change(
      latest.current.filter(each => each !== file),
      why,
    )
  }

  /** The button that was pressed is gone: the focus must not be lost. */
  const focusInput = () => input.current?.focus()

  return (
    <fieldset disabled={isDisabled}>
      <legend id={`${id}-label`} className="mb-1 font-semibold">
        {label}
      </legend>
      <div className="flex flex-wrap gap-3 pt-2">
        {kept.length > 0 && (
          <ul aria-label="Pictures sent before" className="contents">
            {kept.map((each, at) => (
              <PictureTile
                key={each._id}
                removeLabel={`Remove picture ${at + 1}`}
                onRemove={() => {
                  onKeptChange?.(kept.filter(other => other !== each))
                  focusInput()
                }}
              >
                <img src={safeLink(each.thumbnail)} alt={`${at + 1} of ${kept.length}`} className={TILE_PICTURE} />
              </PictureTile>
            ))}
          </ul>
        )}
        {files.length > 0 && (
          <ul aria-label="Chosen pictures" className="contents">
            {files.map((file, at) => (
              // Use the index as key: the same file may be chosen twice.
              <ChosenPicture
                key={at}
                file={file}
                onRemove={() => {
                  remove(file)
                  focusInput()
                }}
                onBroken={() => remove(file, `${file.name} is damaged, or not a picture`)}
              />
            ))}
          </ul>
        )}
        <label className="relative flex size-20 cursor-pointer flex-col items-center justify-center gap-1 rounded-control border border-dashed border-edge text-sm font-semibold text-muted focus-within:outline focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:border-accent hover:text-accent has-[:disabled]:cursor-default has-[:disabled]:opacity-60">
          <Icon name="plus" />
          <span id={`${id}-add`}>Add</span>
          <input
            ref={input}
            id={id}
            type="file"
            multiple
            accept={ACCEPT_PICTURES}
            aria-labelledby={`${id}-label ${id}-add`}
            aria-describedby={`${id}-note`}
            onChange={({ target }) => {
              const next = addPictures(files, [...(target.files ?? [])], most - kept.length)
              target.value = ''
              change(next.files, next.problem)
            }}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </label>
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`pt-2 text-sm [overflow-wrap:anywhere] ${problem ? 'font-medium text-bad' : 'text-muted'}`}
      >
        {problem ?? hint}
      </p>
    </fieldset>
  )
}
