import inject from 'light-my-request'
import type { Rendered } from '#server/page-cache/page.ts'
import { createPages } from '#server/page-cache/pages.ts'

interface Shown {
  text?: string
  tags?: string[]
  status?: number
  headers?: Record<string, string>
}

type Show = (url: string) => Shown | Promise<Shown>
type Options = Partial<Omit<Parameters<typeof createPages>[0], 'render'>>

/**
 * Creates pages from a storefront that returns what `show` returns. `rendered` lists the URLs in render order, `errors`
 * what was logged.
 */
export function fakePages(show: Show, options: Options = {}) {
  const rendered: string[] = []
  const errors: unknown[] = []
  const note = (entry: unknown, text?: string) => void errors.push({ ...(entry as object), text })
  const pages = createPages({
    render: async url => {
      rendered.push(url)
      return toRendered(await show(url))
    },
    log: { error: note, warn: note },
    ...options,
  })
  const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    inject((req, res) => void pages.serve(req, res), { url, method, headers, validate: false })
  return { pages, rendered, errors, ask }
}

function toRendered({ text = 'A page', tags = [], status = 200, headers = {} }: Shown): Rendered {
  const own = {
    'content-type': 'text/html',
    ...(tags.length > 0 && { 'x-page-tags': tags.map(encodeURIComponent).join(' ') }),
  }
  return { status, headers: Object.entries({ ...own, ...headers }), body: Buffer.from(text) }
}

/** A promise that the test resolves with `open`. `reached` resolves when a caller starts to wait for it. */
export function gate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    wait: (): Promise<void> => {
      reached.resolve()
      return opened.promise
    },
  }
}
