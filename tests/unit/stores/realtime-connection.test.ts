import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import type { Api } from '#lib/api.ts'
import type { openSocket as realSocket } from '#lib/socket.ts'
import { client } from '#stores/client.ts'
import { connect, handleEvent, relay } from '#stores/realtime.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { message } from '#tests/support/chat/chatting.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'

const { openSocket } = vi.hoisted(() => ({ openSocket: vi.fn<typeof realSocket>() }))
vi.mock('#lib/socket.ts', () => ({ openSocket }))

const socket = { send: vi.fn<() => void>(), signIn: vi.fn<() => void>(), close: vi.fn<() => void>() }
const page = stubPage()
const counts = () => [openSocket, socket.signIn, socket.close].map(({ mock }) => mock.calls.length)

/** Waits until the socket's code has been loaded. */
const loaded = () => vi.advanceTimersByTimeAsync(0)

let isConnecting = false
beforeEach(async () => {
  vi.useFakeTimers()
  openSocket.mockReturnValue(socket)
  $customerToken.set(undefined)
  if (isConnecting) page.show(true)
  else connect()
  isConnecting = true
  await vi.waitUntil(() => openSocket.mock.calls.length > 0)
  vi.clearAllMocks()
})
afterEach(() => void vi.useRealTimers())

test('a message that nobody listens for is ignored', () => {
  expect(() => handleEvent('somethingElse', {})).not.toThrow()
})

test('a stored message is passed on to the seller in the provider’s own words', () => {
  relay(message(1))

  expect(socket.send).toHaveBeenCalledExactlyOnceWith(events.sendCustomerMessage, z.encode(Message, message(1)))
})

test('a page that the browser keeps for Back closes its connection, and opens it again when it is shown', async () => {
  dispatchEvent(new Event('pagehide'))
  expect(counts()).toEqual([0, 0, 1])

  page.show(false)
  await loaded()
  expect(counts()).toEqual([0, 0, 1])
  page.show(true)
  await loaded()
  expect(counts()).toEqual([1, 0, 1])
})

test('another customer gets a connection of their own, and the first one’s is closed', async () => {
  $customerToken.set(tokenOf('ada'))
  expect(counts()).toEqual([0, 1, 0])

  $customerToken.set(tokenOf('grace'))
  await loaded()

  expect(counts()).toEqual([1, 1, 1])
})

test('a visitor who signs out stays without a connection', async () => {
  $customerToken.set(tokenOf('ada'))
  $customerToken.set(undefined)
  await loaded()

  expect(counts()).toEqual([0, 1, 1])
  relay(message(1))
  expect(socket.send).not.toHaveBeenCalled()
})

test('customers who change faster than the connection opens get one connection', async () => {
  $customerToken.set(tokenOf('ada'))
  $customerToken.set(tokenOf('grace'))
  $customerToken.set(tokenOf('ada'))
  await loaded()

  expect(openSocket).toHaveBeenCalledOnce()
})

test('a connection that fails to open is tried again five seconds later', async () => {
  openSocket.mockImplementationOnce(() => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  page.show(true)
  await loaded()
  expect(openSocket).toHaveBeenCalledOnce()

  await vi.advanceTimersByTimeAsync(4999)
  expect(openSocket).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1)
  expect(openSocket).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(openSocket).toHaveBeenCalledTimes(2)
})

test('a connection that failed to open is not tried again once the page has been left', async () => {
  openSocket.mockImplementationOnce(() => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  page.show(true)
  await loaded()
  dispatchEvent(new Event('pagehide'))

  await vi.advanceTimersByTimeAsync(60_000)

  expect(openSocket).toHaveBeenCalledOnce()
})

test('an expired token is renewed by a call as the customer', async () => {
  page.show(true)
  await loaded()
  const getAccount = vi.fn<Api['getAccount']>(() => Promise.resolve(ACCOUNT))
  client.api = fakeApi({ getAccount })

  await openSocket.mock.calls[0]![0].renew()

  expect(getAccount).toHaveBeenCalledOnce()
})
