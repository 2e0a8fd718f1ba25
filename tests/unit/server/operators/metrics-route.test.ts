import { expect, test } from 'vitest'
import { getProduct } from '#contract/catalogue.ts'
import { routeOf } from '#server/operators/metrics/route.ts'

test.for([
  ['GET', '/', '/'],
  ['GET', '/products?category=Toys', '/products'],
  ['GET', '/product/details/jar', '/product/…'],
  ['GET', '/wp-login.php', 'other'],
  ['HEAD', `/api${getProduct.path.replace(/:\w+/, 'jar')}?x=1`, `/api${getProduct.path}`],
  ['DELETE', `/api${getProduct.path.replace(/:\w+/, 'jar')}`, '/api other'],
  ['GET', '/api/no/such/call', '/api other'],
] as const)('%s %s is counted as %s', ([method, url, route]) => {
  expect(routeOf(method, url)).toBe(route)
})
