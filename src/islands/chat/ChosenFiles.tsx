import { useStore } from '@nanostores/react'
import { FileChip } from '#components/ui/FileChip.tsx'
import { $rejected, cancelUpload, dropFile, type Upload } from '#stores/chat/uploads.ts'

interface Props {
  sellerId: string
  files: File[]
  upload: Upload | null
  /** Runs when a button that may have the focus is removed. */
  onGone: () => void
}

/** The files for the next message and the progress of their upload. */
export function ChosenFiles({ sellerId, files, upload, onGone }: Props) {
  const rejected = useStore($rejected)
  const isRunning = upload?.isRunning === true
  const isOurs = upload?.sellerId === sellerId
  if (files.length === 0 && !isOurs) return null
  return (
    <div className="mb-2 space-y-2">
      {files.length > 0 && (
        <ul aria-label="Chosen files" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto">
          {files.map((file, at) => (
            // Use the index as key: the same file may be chosen twice.
            <FileChip
              key={at}
              file={file}
              isDisabled={isRunning}
              problem={rejected?.file === file ? rejected.reason : undefined}
              onRemove={() => {
                dropFile(sellerId, file)
                // Otherwise the focused button stays, and belongs to the next file.
                if (at === files.length - 1) onGone()
              }}
            />
          ))}
        </ul>
      )}
      {isOurs && (
        <div className="flex min-h-9 items-center gap-3 text-sm">
          <progress aria-label="Upload" max={100} value={upload.percent} className="chat-progress" />
          <span className="w-10 text-right tabular-nums text-muted">{upload.percent}%</span>
          {isRunning && (
            <button
              type="button"
              onClick={() => {
                cancelUpload()
                onGone()
              }}
              className="inline-flex min-h-9 items-center rounded-control px-2 font-semibold text-accent hover:underline"
            >
              Cancel
            </button>
          )}
        </div>
      )}
    </div>
  )
}
