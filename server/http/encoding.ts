export type Encoding = 'br' | 'gzip' | 'identity'

const PREFERRED: Encoding[] = ['br', 'gzip', 'identity']
/** Browsers send only a handful of different headers; the limit keeps clients from filling the memory with others. */
const MEMORY = 64
const remembered = new Map<string, Encoding>()

/** The best encoding that Accept-Encoding allows. Identity when it allows none: a page is better than a 406. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity'
  const known = remembered.get(accepted)
  if (known) return known
  const chosen = choose(accepted)
  if (remembered.size < MEMORY) remembered.set(accepted, chosen)
  return chosen
}

function choose(accepted: string): Encoding {
  const weights = new Map(accepted.toLowerCase().split(',').map(weighted))
  const weightOf = (encoding: Encoding) => {
    const own = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined)
    return own ?? weights.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  }
  const allowed = PREFERRED.filter(encoding => weightOf(encoding) > 0)
  const best = Math.max(...allowed.map(weightOf))
  return allowed.find(encoding => weightOf(encoding) === best) ?? 'identity'
}

function weighted(entry: string): [encoding: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map(part => part.trim())
  const quality = parameters.find(parameter => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return [name, Number.isFinite(weight) ? weight : 0]
}
