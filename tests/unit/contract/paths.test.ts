import { expect, test } from 'vitest'
import { isShopPath } from '#contract/notifications.ts'
import { chatPath, orderPath, paymentPath, productPath, resultPath, shopPath } from '#contract/paths.ts'

test.each([
  [shopPath({ shopName: "Ada's Crêpes", sellerId: 's1' }), '/stores/ada-s-crepes/s1'],
  [shopPath({ shopName: '東京 堂', sellerId: 's1' }), '/stores/%E6%9D%B1%E4%BA%AC-%E5%A0%82/s1'],
  [productPath({ slug: 'ваза?' }), '/product/details/%D0%B2%D0%B0%D0%B7%D0%B0%3F'],
  [orderPath('a/b c'), '/dashboard/order/details/a%2Fb%20c'],
  [paymentPath('a&b'), '/payment?order=a%26b'],
  [resultPath('a+b='), '/order/confirm?payment_intent_client_secret=a%2Bb%3D'],
  [resultPath(), '/order/confirm'],
  [chatPath('a/b'), '/dashboard/chat/a%2Fb'],
  [chatPath(), '/dashboard/chat'],
])('%s is the path of its page, and is safe in a header', (path, address) => {
  expect(path).toBe(address)
})

test.each([
  ['/products?page=2#top', true],
  ['/', true],
  ['/product/details/a%2F%2Fb', true],
  ['products', false],
  ['', false],
  ['https://elsewhere.example/', false],
  ['x/products', false],
  ['//elsewhere.example', false],
  ['/\\elsewhere.example', false],
  ['/a\\b', false],
  ['/\t/elsewhere.example', false],
  ['/products\n', false],
  ['/.//elsewhere.example', false],
  ['/..//elsewhere.example', false],
  ['//', false],
])('the link %j stays in the shop: %s', (link, isOurs) => {
  expect(isShopPath(link)).toBe(isOurs)
})
