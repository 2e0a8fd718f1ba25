import { useRef } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { ACCEPT } from '#lib/chat/files.ts'
import { chooseFiles } from '#stores/chat/uploads.ts'

/** A button to choose files for the next message. */
export function AttachFiles({ sellerId, isDisabled }: { sellerId: string | null; isDisabled: boolean }) {
  const picker = useRef<HTMLInputElement>(null)

  function attach() {
    // Shows a toast that asks for a seller.
    if (sellerId) picker.current?.click()
    else chooseFiles(null, [])
  }

  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        accept={ACCEPT}
        hidden
        aria-label="Files"
        onChange={({ target }) => {
          chooseFiles(sellerId, [...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button
        type="button"
        aria-label="Attach files"
        title="Attach files"
        disabled={isDisabled}
        onClick={attach}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-accent disabled:opacity-60"
      >
        <Icon name="attach" />
      </button>
    </>
  )
}
