import { Icon } from '#components/ui/Icon.tsx'
import { formatBytes } from '#lib/chat/files.ts'
import { cancelUpload, dropFile, type Upload } from '#stores/chat/uploads.ts'

interface Props {
  sellerId: string
  files: File[]
  upload: Upload | null
}

/** The files for the next message and the progress of their upload. */
export function ChosenFiles({ sellerId, files, upload }: Props) {
  const isRunning = upload?.isRunning === true
  const isOurs = upload?.sellerId === sellerId
  if (files.length === 0 && !isOurs) return null
  return (
    <div className="mb-2 space-y-2">
      {files.length > 0 && (
        <ul aria-label="Chosen files" className="flex max-h-32 flex-wrap gap-2 overflow-y-auto">
          {files.map((file, at) => (
            // Use the index as key: the same file may be chosen twice.
            <li
              key={at}
              className="flex min-w-0 max-w-full items-center gap-2 rounded-full bg-sunken py-0.5 pl-3 text-sm"
            >
              <span dir="auto" className="max-w-48 truncate font-medium">
                {file.name}
              </span>
              <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                disabled={isRunning}
                onClick={() => dropFile(sellerId, file)}
                className="inline-flex size-9 shrink-0 items-center justify-center rounded-full hover:text-bad disabled:opacity-60 [&_svg]:size-4"
              >
                <Icon name="close" />
              </button>
            </li>
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
              onClick={cancelUpload}
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
