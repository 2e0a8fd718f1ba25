import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from './errors.ts'

z.config(z.locales.en())

export interface Env {
  Variables: { requestId: string }
}

type Answer<Call extends Endpoint> = z.output<Call['output']>

/** Puts one call of the contract on the app: decodes what comes in (400 when it is malformed), encodes what goes out. */
export function mount<Call extends Endpoint>(
  app: Hono<Env>,
  call: Call,
  handle: (input: z.output<Call['input']>, c: Context<Env>) => Promise<Answer<Call>> | Answer<Call>,
  status: 200 | 201 = 200,
): void {
  app.on(call.method, call.path, async c => {
    const given = z.safeDecode(call.input, { ...(await sent(c, call)), ...c.req.param() })
    if (!given.success) throw malformed(given.error)
    const answer = await handle(given.data as z.output<Call['input']>, c)
    return c.json(z.encode(call.output, answer as never) as object, status)
  })
}

async function sent(c: Context, call: Endpoint): Promise<Record<string, unknown>> {
  if (call.method === 'GET' || call.method === 'DELETE') {
    const queries = Object.entries(c.req.queries())
    return Object.fromEntries(queries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  }
  const text = await c.req.text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (body && typeof body === 'object' && !Array.isArray(body)) return { ...body }
  } catch {
    // Not JSON: the refusal below says so.
  }
  throw new Refusal(400, 'The body must be a JSON object')
}

function malformed(error: z.core.$ZodError): Refusal {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message
  return new Refusal(400, error.issues[0]?.message ?? 'Malformed request', undefined, fields)
}
