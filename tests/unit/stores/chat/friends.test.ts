import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Api } from '#lib/api.ts'
import { $friends, moveToTop, clearUnread, loadFriends, showFriends } from '#stores/chat/friends.ts'
import { client } from '#stores/client.ts'
import { clear } from '#stores/load.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { friend, message } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const shown = () => {
  const load = $friends.get()
  return load.state === 'ready' ? load.value.map(({ id, unread }) => `${id} ${unread}`) : load.state
}

beforeEach(() => {
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('other', { unread: 2 }), friend('shop', { unread: 1 }), friend('third')])
})

test('the list of shops is loaded for the customer, without opening a conversation', async () => {
  const openConversation = vi.fn<Api['openConversation']>(() => Promise.resolve({ friends: [friend('new')] }))
  client.api = fakeApi({ openConversation })

  await loadFriends()

  expect(openConversation).toHaveBeenCalledExactlyOnceWith({ sellerId: '', userId: 'ada' })
  expect(shown()).toEqual(['new 0'])
})

describe('a new message', () => {
  test('moves its own shop to the top, with a preview and the time', () => {
    expect(moveToTop('third', message(4), true)).toBe(true)

    expect(shown()).toEqual(['third 1', 'other 2', 'shop 1'])
    expect($friends.get()).toMatchObject({
      value: [{ lastMessage: 'text 4', lastAt: message(4).createdAt }, {}, {}],
    })
  })

  test('after another one is counted too, but an older or the same one is not', () => {
    moveToTop('shop', message(4), true)
    moveToTop('shop', message(6), true)
    expect(shown()).toEqual(['shop 3', 'other 2', 'third 0'])

    expect(moveToTop('shop', message(6), true)).toBe(true)
    expect(moveToTop('shop', message(2), true)).toBe(true)
    expect(shown()).toEqual(['shop 3', 'other 2', 'third 0'])
  })

  test('of a shop that is not listed, or before the list is loaded, needs the list', () => {
    expect(moveToTop('stranger', message(4), true)).toBe(false)
    expect(shown()).toEqual(['other 2', 'shop 1', 'third 0'])

    clear($friends)
    expect(moveToTop('shop', message(4), true)).toBe(false)
    expect(shown()).toBe('loading')
  })
})

describe('reading a conversation', () => {
  test('clears the count of its shop only', () => {
    clearUnread('shop')

    expect(shown()).toEqual(['other 2', 'shop 0', 'third 0'])
  })

  test.each(['third', 'stranger'])('of %s, without unread messages, changes nothing', id => {
    const before = $friends.get()

    clearUnread(id)

    expect($friends.get()).toBe(before)
  })

  test('before the list is loaded changes nothing', () => {
    clear($friends)

    clearUnread('shop')

    expect(shown()).toBe('loading')
  })
})
