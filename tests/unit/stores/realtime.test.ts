import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { openSocket as realSocket } from '#lib/socket.ts'
import { $onlineSellers, connect, handleEvent } from '#stores/realtime.ts'
import { $isConnected, onEvent } from '#stores/socket-events.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { unsignedToken } from '#tests/support/accounts/tokens.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const { openSocket } = vi.hoisted(() => ({ openSocket: vi.fn<typeof realSocket>() }))
vi.mock('#lib/socket.ts', () => ({ openSocket }))

const MESSAGE: Message = {
  id: 'm1',
  senderId: 'shop',
  receiverId: 'ada',
  senderName: 'Toy Town',
  text: 'Hello',
  createdAt: '2025-10-03T14:05:00.000Z',
  status: 'sent',
  attachments: [],
  isAutomated: false,
  seq: 1,
  needsAttention: false,
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('messages arrive in the decoded form', () => {
  const listener = vi.fn<(message: Message) => void>()
  stops.push(onEvent(events.sellerMessage, listener))

  handleEvent('seller_message', z.encode(Message, MESSAGE))

  expect(listener).toHaveBeenCalledExactlyOnceWith(MESSAGE)
})

test.each([[null], ['hello'], [{ ...MESSAGE }], [{ _id: 'm1', message: '<script>' }]])(
  'a value that does not match the contract, %j, is ignored',
  value => {
    const listener = vi.fn<() => void>()
    stops.push(onEvent(events.ownMessage, listener))

    handleEvent('own_message', value)

    expect(listener).not.toHaveBeenCalled()
  },
)

test('a removed listener is not called', () => {
  const listener = vi.fn<() => void>()
  onEvent(events.notification, listener)()

  handleEvent('notification', { id: null })

  expect(listener).not.toHaveBeenCalled()
})

test('the online sellers are those of the latest valid event', () => {
  handleEvent('activeSeller', [{ sellerId: 'a' }, { sellerId: 'b' }])
  handleEvent('activeSeller', [{ sellerId: 'b' }])
  handleEvent('activeSeller', 'nonsense')

  expect([...$onlineSellers.get()]).toEqual(['b'])
})

test('a visitor’s connection signs in with the customer, and closes when they sign out', async () => {
  const [signIn, close] = [vi.fn<() => void>(), vi.fn<() => void>()]
  openSocket.mockReturnValue({ send: () => undefined, signIn, close })
  vi.stubGlobal('addEventListener', () => undefined)
  connect()
  await vi.waitFor(() => expect(openSocket).toHaveBeenCalledOnce(), PATIENCE)
  const [{ customer, onChange }] = openSocket.mock.calls[0]!
  expect(customer()).toBeNull()

  $customerToken.set(unsignedToken({ id: 'ada' }))
  expect(signIn).toHaveBeenCalledOnce()
  expect(customer()).toMatchObject({ id: 'ada' })
  onChange(true)
  expect($isConnected.get()).toBe(true)
  expect([openSocket.mock.calls.length, close.mock.calls.length]).toEqual([1, 0])

  $customerToken.set(undefined)
  expect(close).toHaveBeenCalledOnce()
  $customerToken.set(unsignedToken({ id: 'grace' }))
  await vi.waitFor(() => expect(openSocket).toHaveBeenCalledTimes(2), PATIENCE)
  expect(signIn).toHaveBeenCalledOnce()
})
