import { useStore } from '@nanostores/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { TOAST_MS } from '#lib/constants.ts'
import { $sentCount } from '#stores/chat/outbox.ts'

/** Shows below the message field that a message was sent or the customer is offline. Its space is always reserved. */
export function SendingNote({ hasFiles }: { hasFiles: boolean }) {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  const count = useStore($sentCount)
  const [shown, setShown] = useState(count)

  useEffect(() => {
    const timer = setTimeout(() => setShown(count), TOAST_MS.success)
    return () => clearTimeout(timer)
  }, [count])

  const text = isOnline
    ? count > shown && 'message send success'
    : `You are offline. ${hasFiles ? 'Send your files when you are back online' : 'Your messages will be sent when you are back online'}.`
  return (
    <div className="min-h-5 px-1 pt-1 text-xs text-muted">
      <output>{text}</output>
      {!text && (
        <span className="hidden [@media(hover:hover)]:inline">Enter sends, Shift + Enter starts a new line</span>
      )}
    </div>
  )
}

function onNetwork(work: () => void): () => void {
  addEventListener('online', work)
  addEventListener('offline', work)
  return () => {
    removeEventListener('online', work)
    removeEventListener('offline', work)
  }
}
