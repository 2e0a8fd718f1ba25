import { describe, expect, test } from 'vitest'
import { clientAddressOf, networkOf } from '#server/http/client-address.ts'

const PROXY = '10.0.0.1'

describe('the client’s address', () => {
  test.each([
    ['is the socket’s', PROXY, undefined, 0, PROXY],
    ['is the same unknown one for all whose address nobody knows', 'unknown', undefined, 0, 'unknown'],
    ['is not what the client says without a proxy', PROXY, '6.6.6.6', 0, PROXY],
    ['is what the trusted proxy saw', PROXY, '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
    ['is counted from the right over two proxies', PROXY, '6.6.6.6, 1.2.3.4, 10.0.0.2', 2, '1.2.3.4'],
    ['is the first known hop when there are fewer than trusted', PROXY, '1.2.3.4', 5, '1.2.3.4'],
    ['is the socket’s when the proxy says nothing', PROXY, undefined, 1, PROXY],
    ['is the proxy’s when the hop is no address', PROXY, 'unknown', 1, PROXY],
    ['is IPv4 however it is written', '::ffff:1.2.3.4', undefined, 0, '1.2.3.4'],
    ['is IPv6 in its short form', '2001:0db8:0:0:0:0:0:1', undefined, 0, '2001:db8::1'],
  ])('%s', (_, socket, forwardedFor, trustedProxies, expected) => {
    expect(clientAddressOf(socket, forwardedFor, trustedProxies)).toBe(expected)
  })

  test('is grouped by /64 network for IPv6', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2:ffff::1'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
    expect(networkOf('1.2.3.4')).not.toBe(networkOf('1.2.3.5'))
    expect(networkOf('ada@piazza.example')).toBe('ada@piazza.example')
  })
})
