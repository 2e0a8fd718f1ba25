import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { connectionAddress } from './connection-address.ts'

/** Stands for the client address of requests that this process makes, or that another storefront of the shop signs. */
export const OWN_REQUEST = Symbol('a request of our own')
/** Never undefined, so that no client can avoid the limits per address. */
export type ClientAddress = string | typeof OWN_REQUEST

/** A quick check that rules out ids and email addresses, which most limits use as keys. */
const LIKE_ADDRESS = /^[\d.a-fx:]+(%\w+)?$/i

/** The address of the client that sent a request, for code that runs before the API. */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  return clientAddressOf(connectionAddress(socket), headers['x-forwarded-for']?.toString(), trustedProxies)
}

/**
 * Goes back from the connection's address as many hops in X-Forwarded-For as there are trusted proxies. Entries
 * further left come from the client and are not trusted.
 */
export function clientAddressOf(connection: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const hops = [...(forwardedFor?.split(',') ?? []), connection].map(hop => hop.trim())
  const known = hops.slice(Math.max(hops.length - 1 - trustedProxies, 0))
  const address = known.find(hop => ipaddr.isValid(hop))
  return address ? ipaddr.process(address).toString() : connection
}

/** The key of limits that count the uses of `subject`, such as a mailbox, from each network separately. */
export function keyFrom(ip: ClientAddress, subject: string): ClientAddress {
  return ip === OWN_REQUEST ? ip : `${subject} ${networkOf(ip)}`
}

/**
 * The key that limits count by: the /64 network of an IPv6 address, because one household has a whole /64; else `key`.
 */
export function networkOf(key: string): string {
  if (!LIKE_ADDRESS.test(key) || !ipaddr.isValid(key)) return key
  const address = ipaddr.process(key)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}
