import { expect, onTestFinished, test, vi } from 'vitest'
import type { PeerServer, PeerSocket } from '#server/realtime/peer-socket.ts'
import { openPresence } from '#server/realtime/presence.ts'
import { CUSTOMERS, roomOf } from '#server/realtime/rooms.ts'

/** A socket server with this many customers; `sent` has each list of online sellers that all of them received. */
function serverWith(customers: number) {
  const rooms = new Map([[CUSTOMERS, { size: customers }]])
  const sent: number[] = []
  const local = { to: () => ({ emit: (_: string, list: unknown[]) => sent.push(list.length) }) }
  const presence = openPresence({ local, sockets: { adapter: { rooms } } } as unknown as PeerServer, {
    isShared: false,
  })
  const addSeller = (id: string) => {
    const peer = { side: 'seller', id } as const
    rooms.set(roomOf(peer), { size: 1 })
    presence.add({ data: { peer }, once: () => undefined } as unknown as PeerSocket)
  }
  return { sent, addSeller }
}

test('customers hear of a shop that comes online at once', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sent, addSeller } = serverWith(200)

  for (let at = 0; at < 5; at += 1) {
    addSeller(`shop${at}`)
    vi.advanceTimersByTime(200)
  }

  expect(sent).toEqual([1, 2, 3, 4, 5])
})

test('the list of 1,000 shops is not sent to 10,000 customers for each shop that comes and goes', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sent, addSeller } = serverWith(10_000)
  for (let at = 0; at < 1000; at += 1) addSeller(`a-seller-with-an-id-of-24-${at}`)
  vi.advanceTimersByTime(200)

  for (let at = 0; at < 60; at += 1) {
    addSeller(`another-${at}`)
    vi.advanceTimersByTime(1000)
  }

  expect(sent[0]).toBe(1000)
  expect(sent.at(-1)).toBeGreaterThan(1000)
  expect(sent.length).toBeLessThan(4)
})
