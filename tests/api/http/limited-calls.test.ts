import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendFiles } from '#contract/chat.ts'
import type { Api } from '#lib/api.ts'
import { REVIEW_PICTURES_PATH, THUMBNAIL } from '#server/catalogue/review-pictures.ts'
import { openUnsubscribeLinks, UNSUBSCRIBE_PATH } from '#server/mail/unsubscribe-links.ts'
import { createApi } from '#lib/create-api.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

// Uses the default limits.
const { db, fetch, secrets, customer, close } = await startProvider()
afterAll(close)

const unsubscribeLinks = openUnsubscribeLinks({ secrets })
const MINUTE = 60
const HOUR = 3600
const PASSWORD = 'Correct-Horse-9'
const seller = await addSeller(db, { hasAi: true })
const toy = await addShippable(db, { sellerId: seller.id, stock: 50 })
const mailOf = (at: number) => `stranger-${at}@customers.test`
let ada: Customer
let orderId: string
const messageIds: string[] = []

beforeAll(async () => {
  ada = await customer()
  orderId = (await ada.api.placeOrder(orderOf(ada.id, [toy]))).orderId
  const asking = { userId: ada.id, sellerId: seller.id }
  for (let at = 0; at < 11; at += 1)
    messageIds.push((await ada.api.sendMessage({ ...asking, text: `Question ${at}` })).message.id)
})

interface Limited {
  uses: number
  seconds: number
  call: (client: Client, at: number) => Promise<unknown>
  /** Uses a new customer instead of Ada, who has used some of this limit already. */
  isStranger?: boolean
}

/** How often one account or one address may make a call; `at` counts the calls. */
const LIMITED: Record<string, Limited> = {
  'to open accounts': {
    uses: 100,
    seconds: HOUR,
    call: ({ api }, at) => api.register({ name: 'Ada', email: mailOf(at), password: PASSWORD }),
  },
  'to guess the password of one account': {
    uses: 5,
    seconds: 15 * MINUTE,
    call: ({ api }) => api.login({ email: mailOf(1000), password: PASSWORD }),
  },
  'to guess the passwords of many accounts': {
    uses: 30,
    seconds: 15 * MINUTE,
    call: ({ api }, at) => api.login({ email: mailOf(2000 + at), password: PASSWORD }),
  },
  'to log in to one account': {
    uses: 60,
    seconds: HOUR,
    call: ({ api }) => api.login({ email: ada.email, password: ada.password }),
  },
  'to ask for links to new passwords': {
    uses: 30,
    seconds: HOUR,
    call: ({ api }, at) => api.forgotPassword({ email: mailOf(3000 + at) }),
  },
  'to set a new password': {
    uses: 300,
    seconds: HOUR,
    call: ({ api }) => api.resetPassword({ token: 'none', newPassword: PASSWORD }),
  },
  'to order': {
    uses: 10,
    seconds: MINUTE,
    isStranger: true,
    call: ({ api, id }) => api.placeOrder(orderOf(id, [toy])),
  },
  'to confirm a payment': { uses: 20, seconds: MINUTE, call: ({ api }) => api.confirmOrder({ orderId }) },
  'to review': {
    uses: 5,
    seconds: MINUTE,
    call: ({ api }, at) => api.submitReview({ productId: toy.id, rating: 5, review: `Good ${at}` }),
  },
  'to write messages': {
    uses: 60,
    seconds: MINUTE,
    isStranger: true,
    call: ({ api, id }, at) => api.sendMessage({ userId: id, sellerId: seller.id, text: `Hello ${at}` }),
  },
  'to send files': { uses: 20, seconds: 10 * MINUTE, call: ({ sendFile }) => sendFile() },
  'to ask for automated replies': {
    uses: 10,
    seconds: MINUTE,
    call: ({ api }, at) => api.getAiReply({ sellerId: seller.id, messageId: messageIds[at] ?? '' }),
  },
  'to search': { uses: 60, seconds: MINUTE, call: ({ api }) => api.queryProducts({ search: 'train' }) },
  'to ask for suggestions': {
    uses: 420,
    seconds: MINUTE,
    call: ({ api }) => api.getSuggestions({ value: 'train' }),
  },
  'to ask for pictures that no review shows': {
    uses: 300,
    seconds: MINUTE,
    call: ({ send }, at) => send('GET', `${REVIEW_PICTURES_PATH}/none-${at}`),
  },
  'to ask for thumbnails that no review shows': {
    uses: 300,
    seconds: MINUTE,
    call: ({ send }, at) => send('GET', `${REVIEW_PICTURES_PATH}/none-${at}/${THUMBNAIL}`),
  },
  'to press the unsubscribe button of a mail': {
    uses: 60,
    seconds: HOUR,
    call: ({ send }) => send('POST', `/api${UNSUBSCRIBE_PATH}?token=${unsubscribeLinks.tokenFor('alerts', ada.id)}`),
  },
  'to call anything': { uses: 600, seconds: MINUTE, call: ({ api }) => api.getHealth({}) },
}

interface Client {
  api: Api
  id: string
  sendFile: () => Promise<unknown>
  send: (method: string, path: string) => Promise<unknown>
}

/** A customer’s client at one address, with a different X-Forwarded-For in each request. */
function clientAt(remoteAddress: string, { id, token }: Customer) {
  const answers: Response[] = []
  async function ask(request: Request): Promise<Response> {
    request.headers.set('authorization', `Bearer ${token}`)
    request.headers.set('x-forwarded-for', `8.8.${answers.length >> 8}.${answers.length & 255}`)
    const answer = await fetch(request, { incoming: { socket: { remoteAddress } } })
    answers.push(answer)
    return answer
  }
  function sendFile() {
    const form = new FormData()
    form.set('userId', id)
    form.set('sellerId', seller.id)
    form.set('files', new File(['Hello'], 'note.txt', { type: 'text/plain' }))
    return ask(new Request(`http://provider.test/api${sendFiles.path}`, { method: 'POST', body: form }))
  }
  const send = (method: string, path: string) => ask(new Request(`http://provider.test${path}`, { method }))
  const client: Client = { id, sendFile, send, api: createApi({ origin: 'http://provider.test', fetch: ask }) }
  return { client, answers }
}

describe('the default rate limits allow a client', () => {
  test.each(Object.entries(LIMITED).map(([name, { uses, seconds }], at) => [name, uses, seconds, at] as const))(
    '%s %i times within %i s, then return 429 with the seconds to wait',
    async (name, uses, seconds, at) => {
      const { call, isStranger } = LIMITED[name]!
      const { client, answers } = clientAt(`7.7.7.${at}`, isStranger ? await customer() : ada)

      for (let count = 0; count <= uses; count += 1) await call(client, count).catch(() => undefined)

      expect(answers.slice(0, uses).map(({ status }) => status)).not.toContain(429)
      expect(answers[uses]?.status).toBe(429)
      const wait = Number(answers[uses]?.headers.get('retry-after'))
      expect(wait).toBeLessThanOrEqual(seconds)
      expect(wait).toBeGreaterThan(0)
    },
  )
})
