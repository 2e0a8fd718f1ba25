import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { type Endpoint, IN_PROCESS_BODY } from '#contract/endpoint.ts'
import type { RequestOrigin } from '../platform/audit.ts'
import { parseJson } from '../platform/parse-json.ts'
import { isBadBearer, MalformedError, NotYoursError, type ServiceError } from '../platform/errors.ts'
import { AbandonedError } from '../platform/bounded-queue.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { OWN_REQUEST } from './client-address.ts'
import type { Env, InProcessBody } from './env.ts'
import { withAbsoluteMedia } from './media-urls.ts'

z.config(z.locales.en())

const MAX_BODY_DEPTH = 20

/** A `fetch` for pages of this process. A successful response has its data in `IN_PROCESS_BODY` instead of a body. */
export function inProcessFetch(app: Pick<Hono<Env>, 'fetch'>): (request: Request) => Promise<Response> {
  return async request => {
    const inProcessBody: InProcessBody = {}
    const response = await app.fetch(request, { inProcessBody })
    return Object.assign(response, { [IN_PROCESS_BODY]: inProcessBody.answer })
  }
}

type Answer<Call extends Endpoint> = z.output<Call['output']>

interface MountOptions {
  /** The status of a success; 200 by default. */
  status?: 200 | 201
  /** Returns the input's fields if they are neither query nor JSON. */
  read?: (c: Context<Env>, call: Endpoint) => Promise<Record<string, unknown>>
}

/**
 * Adds one call of the contract to the app: identifies the customer if the call is for customers (409 on failure),
 * decodes the input (400 if it is malformed) and encodes the result. Does not run `handle` if the client has closed the
 * connection by then.
 */
export function mount<Call extends Endpoint>(
  app: Hono<Env>,
  call: Call,
  handle: (input: z.output<Call['input']>, c: Context<Env>) => Promise<Answer<Call>> | Answer<Call>,
  { status = 200, read = readInput }: MountOptions = {},
): void {
  app.on(call.method, call.path, async c => {
    await admit(c, call)
    const given = z.safeDecode(call.input, { ...(await read(c, call)), ...sentInHeaders(c, call), ...c.req.param() })
    if (!given.success) throw malformed(given.error)
    if (c.req.raw.signal.aborted) throw new AbandonedError()
    const answer = await handle(given.data as z.output<Call['input']>, c)
    const inProcessBody = c.env?.inProcessBody
    if (!inProcessBody) {
      const encoded = z.encode(call.output, answer) as object
      const mediaOrigin = c.get('mediaOrigin')
      return c.json(mediaOrigin ? (withAbsoluteMedia(encoded, mediaOrigin) as object) : encoded, status)
    }
    inProcessBody.answer = answer
    return c.body(null, status)
  })
}

/** The customer who calls. Throws if the call is not marked `isForCustomers`. */
export function signedIn(c: Context<Env>): SignedIn {
  const customer = c.get('customer')
  if (!customer) throw new Error(`${c.req.path} is not marked as a call for customers`)
  return customer
}

/** The id of the customer who calls. Throws `NotYoursError` (404) if `userId` from the path or body is not theirs. */
export function signedInAs(c: Context<Env>, userId: string): string {
  const { id } = signedIn(c)
  if (id !== userId) throw new NotYoursError()
  return id
}

/** The origin of a request, as the audit records it. */
export function originOf(c: Context<Env>): RequestOrigin {
  const ip = c.get('ip')
  return { ip: ip === OWN_REQUEST ? undefined : ip, requestId: c.get('requestId') }
}

/** Identifies the caller and counts the call: customers by account and loosely by address, others by address. */
async function admit(c: Context<Env>, call: Endpoint): Promise<void> {
  const limits = c.get('limits')
  try {
    if (call.isForCustomers) c.set('customer', await identify(c, call))
  } finally {
    // Calls without a valid token count, too.
    const customer = c.get('customer')
    if (customer) await limits.take('apiPerIp', c.get('ip'))
    await limits.take('api', customer?.id ?? c.get('ip'))
  }
}

async function identify(c: Context<Env>, call: Endpoint): Promise<SignedIn | undefined> {
  try {
    return await c.get('identify')()
  } catch (error) {
    if (call.takesAnyBearer && isBadBearer(error)) return undefined
    throw error
  }
}

async function readInput(c: Context, call: Endpoint): Promise<Record<string, unknown>> {
  if (call.method === 'GET' || call.method === 'DELETE') {
    const queries = Object.entries(c.req.queries())
    return Object.fromEntries(queries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  }
  const text = await c.req.text()
  if (text === '') return {}
  const body = parseJson(text)
  if (!body || typeof body !== 'object' || Array.isArray(body))
    throw new MalformedError('The body must be a JSON object')
  if (isDeeper(body, MAX_BODY_DEPTH)) throw new MalformedError('The body is nested too deeply')
  return { ...body }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!value || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}

function sentInHeaders(c: Context, { headers = {} }: Endpoint): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([field, name]) => [field, c.req.header(name)]))
}

function malformed(error: z.core.$ZodError): ServiceError {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= issue.message
  return new MalformedError(error.issues[0]?.message ?? 'Malformed request', fields)
}
