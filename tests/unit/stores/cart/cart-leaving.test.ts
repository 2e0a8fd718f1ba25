import { beforeEach, expect, test } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { loadCart } from '#stores/cart/cart.ts'
import { changeQuantity, sendRest, setQuantity } from '#stores/cart/lines.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const never = new Promise<never>(() => undefined)
let sent: string[]

beforeEach(async () => {
  sent = []
  const keep = (call: string) => {
    sent.push(call)
    return never
  }
  const lines = [cartLine('kite', { quantity: 2, stock: 40 }), cartLine('lamp', { quantity: 1, stock: 40 })]
  client.api = fakeApi({
    getCart: () => Promise.resolve(cartOf(lines)),
    increaseQuantity: ({ lineId }) => keep(`more ${lineId}`),
    setQuantity: ({ lineId, quantity }) => keep(`${quantity} ${lineId}`),
  })
  $customerToken.set(tokenOf('ada'))
  await loadCart()
})

test('what waits is sent when the page is left before the first step is answered', () => {
  for (let click = 0; click < 3; click += 1) changeQuantity('kite', 1)
  setQuantity('lamp', 7)
  expect(sent).toEqual(['more kite'])

  sendRest()
  expect(sent).toEqual(['more kite', 'more kite', 'more kite', '7 lamp'])
  sendRest()
  expect(sent).toHaveLength(4)
})
