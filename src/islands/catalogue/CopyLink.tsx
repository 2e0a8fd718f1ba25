import { Icon } from '#components/ui/Icon.tsx'
import { Tooltip } from '#components/ui/Tooltip.tsx'
import { copy } from '#page-scripts/clipboard.ts'
import { toast } from '#stores/ui/toasts.ts'

export function CopyLink({ path }: { path: string }) {
  async function share() {
    const address = new URL(path, location.origin).href
    if (await copy(address)) toast('success', 'Copied to clipboard!')
    else toast('error', `Copy this address: ${address}`)
  }

  return (
    <Tooltip text="Share this product">
      <button
        type="button"
        onClick={() => void share()}
        className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold hover:bg-sunken hover:text-accent [@media(scripting:none)]:hidden"
      >
        <Icon name="link" />
        Copy Link
      </button>
    </Tooltip>
  )
}
