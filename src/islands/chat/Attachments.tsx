import { Icon } from '#components/ui/Icon.tsx'
import type { Attachment } from '#contract/chat.ts'
import { PREVIEW_PX } from '#lib/constants.ts'
import { fitted, formatBytes } from '#lib/chat/files.ts'
import { safeLink } from '#lib/links.ts'

interface Props {
  attachments: Attachment[]
  onPicture: (picture: Attachment) => void
}

const PREVIEW = { maxWidth: `min(${PREVIEW_PX}px, 100%)`, maxHeight: PREVIEW_PX }

/** A message's files: pictures open in the viewer, videos play in place, other files are downloads. */
export function Attachments({ attachments, onPicture }: Props) {
  if (attachments.length === 0) return null
  return (
    <ul className="mb-1 space-y-1.5">
      {attachments.map(attachment => (
        <li key={attachment.url}>
          {attachment.type === 'image' && <Picture picture={attachment} onOpen={() => onPicture(attachment)} />}
          {attachment.type === 'video' && (
            // eslint-disable-next-line jsx-a11y/media-has-caption -- Videos in chats have no captions.
            <video
              controls
              playsInline
              preload="metadata"
              src={safeLink(attachment.url)}
              aria-label={attachment.originalName}
              className="aspect-video w-full rounded-control bg-black"
              style={PREVIEW}
            />
          )}
          {attachment.type === 'other' && <File file={attachment} />}
        </li>
      ))}
    </ul>
  )
}

function Picture({ picture, onOpen }: { picture: Attachment; onOpen: () => void }) {
  const { width, height } = fitted(picture, PREVIEW_PX)
  return (
    <button
      type="button"
      aria-label={`Open picture ${picture.originalName}`}
      onClick={onOpen}
      className="block max-w-full overflow-hidden rounded-control bg-sunken"
    >
      <img
        src={safeLink(picture.url)}
        alt=""
        width={width}
        height={height}
        decoding="async"
        className="h-auto"
        style={PREVIEW}
      />
    </button>
  )
}

function File({ file: { originalName, size, url } }: { file: Attachment }) {
  return (
    <div className="flex items-center gap-3 rounded-control border border-line bg-surface p-2">
      <Icon name="file" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="line-clamp-2 text-sm font-semibold leading-snug [overflow-wrap:anywhere]">
          {originalName}
        </span>
        <span className="block text-xs text-muted">{formatBytes(size)}</span>
      </span>
      <a
        href={safeLink(url)}
        download={originalName}
        aria-label={`Download ${originalName}`}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-sunken hover:text-accent"
      >
        <Icon name="download" />
      </a>
    </div>
  )
}
