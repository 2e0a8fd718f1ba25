import { beforeEach, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { $replying, fetchReply, forgetReplies } from '#stores/chat/ai-replies.ts'
import { client } from '#stores/client.ts'
import { showFriends } from '#stores/chat/friends.ts'
import { forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const reply = message(2, { isAutomated: true })
const status = (hasAi: boolean) => vi.fn<Api['getAiStatus']>(() => Promise.resolve({ hasAi }))

beforeEach(() => {
  stubBrowser()
  forgetThreads()
  forgetReplies()
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('shop')])
  putNewest('shop', [message(1)])
  takeToasts()
})

test('a shop without automated replies is not asked for one', async () => {
  client.api = fakeApi({ getAiStatus: status(false) })

  await fetchReply('shop', 'm1')

  expect(messagesOf('shop')).toHaveLength(1)
})

test('the reply is shown, and the typing state before it', async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<Api['getAiReply']>>>()
  const getAiStatus = status(true)
  client.api = fakeApi({ getAiStatus, getAiReply: () => answer.promise })
  const [first, second] = [fetchReply('shop', 'm1'), fetchReply('shop', 'm1')]
  await vi.waitFor(() => expect([...$replying.get()]).toEqual(['shop']), PATIENCE)

  answer.resolve({ message: reply, category: 'general_query', needsAttention: false })
  await Promise.all([first, second])

  expect(messagesOf('shop')).toEqual([message(1), reply])
  expect([...$replying.get()]).toEqual([])
})

test.each([
  [AWAY, ['error: Error fetching AI response']],
  [new ApiError(422, 'This shop has no automated replies'), []],
  [new ApiError(404, 'There is no such message'), []],
])('a failed reply after %j shows %j', async (error, words) => {
  client.api = fakeApi({ getAiStatus: status(true), getAiReply: () => Promise.reject(error) })

  await fetchReply('shop', 'm1')

  expect(said()).toEqual(words)
  expect([...$replying.get()]).toEqual([])
})
