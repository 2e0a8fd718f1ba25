import * as z from 'zod'

export const CDN_SERVICES = ['varnish', 'fastly', 'cloudflare'] as const
export type CdnService = (typeof CDN_SERVICES)[number]

/** The environment variables of a CDN that keeps pages until they change. */
export const CdnEnvironment = {
  CDN_PURGE: z.enum(CDN_SERVICES, `must be one of ${CDN_SERVICES.join(', ')}`).optional(),
  CDN_PURGE_URL: z
    .string()
    .transform(text => text.split(',').map(each => each.trim().replace(/\/$/, '')))
    .refine(urls => urls.every(isWeb), 'must be an address such as https://api.fastly.com/service/ID')
    .optional(),
  CDN_PURGE_KEY: z.string().optional(),
}

export const CDN_SECRETS = ['CDN_PURGE_KEY']

export interface CdnConfig {
  service: CdnService
  /** Where changes are reported; more than one for several Varnish servers. */
  urls: string[]
  key: string
}

/** The CDN in front of the shop; null if there is none. Throws an Error that names each missing variable. */
export function readCdn(variables: z.output<z.ZodObject<typeof CdnEnvironment>>): CdnConfig | null {
  const { CDN_PURGE: service, CDN_PURGE_URL: urls, CDN_PURGE_KEY: key } = variables
  if (!service && !urls && !key) return null
  if (!service || !urls || !key) {
    const missing = (['CDN_PURGE', 'CDN_PURGE_URL', 'CDN_PURGE_KEY'] as const).filter(name => !variables[name])
    throw new Error(missing.map(name => `${name} is missing: purging a CDN needs it`).join('\n'))
  }
  return { service, urls, key }
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
