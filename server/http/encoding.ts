import { parseAccept } from 'hono/utils/accept'

export type Encoding = 'br' | 'gzip' | 'identity'

const PREFERRED: Encoding[] = ['br', 'gzip', 'identity']

/** The best encoding that Accept-Encoding allows. Identity when it allows none: a page is better than a 406. */
export function chooseEncoding(accepted = ''): Encoding {
  const weights = new Map(parseAccept(accepted.toLowerCase()).map(({ type, q }) => [type, q]))
  const weightOf = (encoding: Encoding) => {
    const own = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined)
    return own ?? weights.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  }
  const allowed = PREFERRED.filter(encoding => weightOf(encoding) > 0)
  const best = Math.max(...allowed.map(weightOf))
  return allowed.find(encoding => weightOf(encoding) === best) ?? 'identity'
}
