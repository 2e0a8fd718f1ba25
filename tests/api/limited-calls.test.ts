import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '#lib/api.ts'
import { addSeller } from '#tests/support/catalogue.ts'
import { addShippable, orderOf } from '#tests/support/ordering.ts'
import { startProvider } from '#tests/support/provider.ts'

const ALLOWED = 2
const NAMES = 'register login loginPerIp forgotPerIp reset placeOrder confirm review ai search'.split(' ')
const { db, fetch, customer, close } = await startProvider({
  limits: NAMES.map(name => `${name}=${ALLOWED}/1h`).join(),
})
afterAll(close)

const PASSWORD = 'Correct-Horse-9'
const seller = await addSeller(db, { hasAi: true })
const toy = await addShippable(db, { sellerId: seller.id, stock: 50 })
const mailOf = (at: number) => `stranger-${at}@customers.test`
let ada: Awaited<ReturnType<typeof customer>>
let orderId: string
const messageIds: string[] = []

beforeAll(async () => {
  ada = await customer()
  const ordering = await customer()
  orderId = (await ordering.api.placeOrder(orderOf(ordering.id, [toy]))).orderId
  for (let at = 0; at <= ALLOWED; at += 1) {
    const sent = await ada.api.sendMessage({ userId: ada.id, sellerId: seller.id, text: `Question ${at}` })
    messageIds.push(sent.message.id)
  }
})

/** Each with the address that its client comes from, and how often it was called before. */
const CALLS: Record<string, (api: Api, at: number) => Promise<unknown>> = {
  register: (api, at) => api.register({ name: 'Ada', email: mailOf(at), password: PASSWORD }),
  login: api => api.login({ email: mailOf(100), password: PASSWORD }),
  loginPerIp: (api, at) => api.login({ email: mailOf(200 + at), password: PASSWORD }),
  forgotPerIp: (api, at) => api.forgotPassword({ email: mailOf(300 + at) }),
  reset: api => api.resetPassword({ token: 'none', newPassword: PASSWORD }),
  placeOrder: api => api.placeOrder(orderOf(ada.id, [toy])),
  confirm: api => api.confirmOrder({ orderId }),
  review: (api, at) => api.submitReview({ productId: toy.id, rating: 5, review: `Good ${at}` }),
  ai: (api, at) => api.getAiReply({ sellerId: seller.id, messageId: messageIds[at] ?? '' }),
  search: api => api.queryProducts({ search: 'train' }),
}

/** A client at an address, with a bearer; who says each time that it comes from elsewhere. */
function clientAt(remoteAddress: string, token: string) {
  const answers: Response[] = []
  const api = createApi({
    origin: 'http://provider.test',
    async fetch(request) {
      request.headers.set('authorization', `Bearer ${token}`)
      request.headers.set('x-forwarded-for', `8.8.8.${answers.length}`)
      const answer = await fetch(request, { incoming: { socket: { remoteAddress } } })
      answers.push(answer)
      return answer
    },
  })
  return { api, answers }
}

describe('a call that is limited', () => {
  test.each(NAMES.map((name, at) => [name, at] as const))(
    'by %s is refused after that, and says how long',
    async (name, at) => {
      const { api, answers } = clientAt(`7.7.7.${at}`, ada.token)

      for (let count = 0; count <= ALLOWED; count += 1) await CALLS[name]?.(api, count).catch(() => undefined)

      expect(answers.slice(0, ALLOWED).map(({ status }) => status)).not.toContain(429)
      expect(answers[ALLOWED]?.status).toBe(429)
      expect(Number(answers[ALLOWED]?.headers.get('retry-after'))).toBeGreaterThan(3000)
    },
  )
})
