import { useStore } from '@nanostores/react'
import { Icon } from '#components/ui/Icon.tsx'
import { $isMuted, toggleSound } from '#stores/chat/sound.ts'

export function SoundSwitch() {
  const isMuted = useStore($isMuted)
  return (
    <button
      type="button"
      role="switch"
      aria-checked={!isMuted}
      aria-label="Sound"
      title={isMuted ? 'Sound is off' : 'Sound is on'}
      onClick={toggleSound}
      className="inline-flex size-11 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-accent"
    >
      <Icon name={isMuted ? 'soundOff' : 'sound'} />
    </button>
  )
}
