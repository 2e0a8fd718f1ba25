import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { connectionAddress } from './connection-address.ts'

/** Stands for the address of a request that this process made, or a storefront of ours with its signature. */
export const OWN_REQUEST = Symbol('a request of our own')
/** Every request that came over a connection has an address: what is counted per address cannot be escaped. */
export type ClientAddress = string | typeof OWN_REQUEST

/** Names and mail addresses, most of what is counted, are told from addresses at once. */
const LIKE_ADDRESS = /^[\d.a-fx:]+(%\w+)?$/i

/** The address of the client that sent a request, for code that stands before the API. */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  return addressOf(connectionAddress(socket), headers['x-forwarded-for']?.toString(), trustedProxies)
}

/**
 * The connection's address, or as many hops to its left in X-Forwarded-For as proxies are trusted. What stands further
 * left is the client's own word.
 */
export function addressOf(connection: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const hops = [...(forwardedFor?.split(',') ?? []), connection].map(hop => hop.trim())
  const known = hops.slice(Math.max(hops.length - 1 - trustedProxies, 0))
  const address = known.find(hop => ipaddr.isValid(hop))
  return address ? ipaddr.process(address).toString() : connection
}

/** An address as limits count it: of IPv6 the network, since one household has 2^64 addresses. Other texts stay as they are. */
export function networkOf(key: string): string {
  if (!LIKE_ADDRESS.test(key) || !ipaddr.isValid(key)) return key
  const address = ipaddr.process(key)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}
