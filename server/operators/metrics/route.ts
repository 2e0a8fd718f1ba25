import { endpoints } from '#contract/index.ts'

const API = '/api'
/** First path segments with a label of their own. All others share one, so that robots cannot create more labels. */
const KNOWN = new Set(
  `_astro cart categories confirm-email customer dashboard files forgotpassword login media order payment product products
   register resetpassword socket.io stores`.split(/\s+/),
)

const calls = Object.values(endpoints)
const exact = new Set(calls.filter(({ path }) => !path.includes(':')).map(({ method, path }) => method + path))
const patterns = calls
  .filter(({ path }) => path.includes(':'))
  .map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replaceAll(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`),
  }))

/** The label of a request's route: a call's path, or the kind of page or file. */
export function routeOf(method: string, url: string): string {
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  if (path.startsWith(`${API}/`)) return `${API}${callOf(method === 'HEAD' ? 'GET' : method, path.slice(API.length))}`
  const [, first = '', ...others] = path.split('/')
  if (first === '') return '/'
  if (!KNOWN.has(first)) return 'other'
  return others.length > 0 ? `/${first}/…` : `/${first}`
}

function callOf(method: string, path: string): string {
  if (exact.has(method + path)) return path
  return patterns.find(each => each.method === method && each.pattern.test(path))?.path ?? ' other'
}
