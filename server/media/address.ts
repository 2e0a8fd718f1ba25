import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>
export type IsAllowed = (address: string) => boolean

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Looks up all addresses of a host name with the system's resolver. */
export const resolveAll: Resolve = hostname => lookup(hostname, { all: true })

/** Whether an address is public unicast: not loopback, private, link-local, or a mapped or tunnelled form of these. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false
  return parsed.range() === 'unicast'
}

/** A `lookup` that checks the very addresses that the socket connects to: a second DNS response cannot bypass it. */
export function checkedLookup(resolve: Resolve, isAllowed: IsAllowed): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      addresses => {
        const [first] = addresses
        if (!first || !addresses.every(({ address }) => isAllowed(address))) done(new Error('not a public address'), '')
        else if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }
}
