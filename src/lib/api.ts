import * as z from 'zod/mini'
import { type Endpoint, IN_PROCESS_BODY } from '#contract/endpoint.ts'
import type { endpoints } from '#contract/index.ts'
import { PriceSummary } from '#contract/order-sums.ts'

interface ErrorDetails {
  code?: string | undefined
  /** Error messages by the path of their input. */
  fields?: Record<string, string> | undefined
  /** The order's current totals, if its price has changed. */
  summary?: PriceSummary | undefined
  /** The provider did not respond or gave no reason; the message is ours. False offline, which is a reason. */
  isSilent?: boolean
}

/** A failed API call. */
export class ApiError extends Error implements ErrorDetails {
  readonly status: number
  declare readonly code: ErrorDetails['code']
  declare readonly fields: ErrorDetails['fields']
  declare readonly summary: ErrorDetails['summary']
  readonly isSilent: boolean = false

  constructor(status: number, message: string, details?: ErrorDetails) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    Object.assign(this, details)
  }
}

/** The message for a click while the browser is offline. */
export const OFFLINE = 'You are offline. Try again when you are back online.'

/** Whether the browser says that it is offline. False in Node, whose `navigator` has no `onLine`. */
export function isOffline(): boolean {
  const { onLine = true } = (globalThis.navigator ?? {}) as Partial<Navigator>
  return !onLine
}

type Call<E extends Endpoint, More> = (input: z.output<E['input']> & More) => Promise<z.output<E['output']>>
/** Files are passed next to the input. */
type More<Name> = Name extends 'sendFiles' | 'addReturnPictures' | 'addReviewPictures' ? { files: File[] } : unknown
/** API calls under their names in the contract, with our field names and with cents. */
export type Calls<Endpoints extends Record<string, Endpoint>> = {
  [Name in keyof Endpoints]: Call<Endpoints[Name], More<Name>>
}
/** Every call of the contract. */
export type Api = Calls<typeof endpoints>

/** The browser's `fetch`, or an in-process one. */
export type Fetch = (request: Request) => Response | Promise<Response>

export interface ApiOptions {
  fetch: Fetch
  /** Origin of the API. An in-process `fetch` uses it only to build URLs. */
  origin: string
}

/** Creates a client for some calls of the contract. They throw `ApiError` for every response that is not a success. */
export function createCalls<const Endpoints extends Record<string, Endpoint>>(
  endpoints: Endpoints,
  { fetch, origin }: ApiOptions,
): Calls<Endpoints> {
  const calls = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    async (input: unknown) => readResponse(endpoint, await sendRequest(fetch, requestFor(endpoint, input, origin))),
  ])
  return Object.fromEntries(calls) as Calls<Endpoints>
}

/** Resolves to `null` for 404 and for 400 (an impossible id). Other errors pass through. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 404)) return null
    throw error
  }
}

/** Requests with longer bodies end with their page: browsers limit the sum of the bodies that may outlive it. */
const MAX_KEEPALIVE_LENGTH = 8192

function requestFor(endpoint: Endpoint, input: unknown, origin: string): Request {
  const encoded = z.safeEncode(endpoint.input, input)
  if (!encoded.success) throw malformed(encoded.error)
  const rest = { ...(encoded.data as Record<string, string | undefined>) }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const url = new URL(`/api${path}`, origin)
  const { method } = endpoint
  const init = { method, credentials: 'include' } as const
  if (method === 'GET' || method === 'DELETE') {
    // A parameter with several values is repeated.
    for (const [name, value] of Object.entries(rest))
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, each)
    return new Request(url, { ...init, keepalive: method === 'DELETE' })
  }
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const [field, name] of Object.entries(endpoint.headers ?? {})) {
    const value = rest[field]
    delete rest[field]
    if (value !== undefined) headers.set(name, value)
  }
  if (endpoint.isMultipart) return new Request(url, { ...init, body: formOf(rest, input) })
  const body = JSON.stringify(rest)
  // What a customer has changed is saved even if they leave the page at once.
  return new Request(url, { ...init, headers, body, keepalive: body.length <= MAX_KEEPALIVE_LENGTH })
}

/** Fields come first, so that a provider can validate them before it reads the files. */
function formOf(fields: Record<string, string | undefined>, input: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  for (const file of (input as { files: File[] }).files) form.append('files', file)
  return form
}

/** The same error as the provider's own validation. */
function malformed({ issues }: z.core.$ZodError): ApiError {
  const fields: Record<string, string> = {}
  for (const { path, message } of issues) fields[path.join('.')] ??= message
  return new ApiError(400, issues[0]?.message ?? 'The request was not understood', { fields })
}

async function sendRequest(fetch: Fetch, request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    throw error instanceof ApiError ? error : unreachable()
  }
}

/** A network failure has no response; callers treat it like any other failed call. */
function unreachable(): ApiError {
  const offline = isOffline()
  const message = offline ? OFFLINE : 'The marketplace cannot be reached right now'
  return new ApiError(503, message, { isSilent: !offline })
}

async function readResponse(
  endpoint: Endpoint,
  response: Response & { [IN_PROCESS_BODY]?: unknown },
): Promise<unknown> {
  if (response[IN_PROCESS_BODY] !== undefined) return response[IN_PROCESS_BODY]
  const body: unknown = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null
    // The network failed in the middle of the response.
    throw unreachable()
  })
  if (!response.ok) throw toApiError(response.status, body)
  const answer = z.safeDecode(endpoint.output, body)
  if (!answer.success) throw new ApiError(502, `The response of ${endpoint.path} does not match the contract`)
  return answer.data
}

/** Builds the `ApiError` from the body of a failed response. */
export function toApiError(status: number, body: unknown): ApiError {
  const { error, code, fields, summary } = (body ?? {}) as Record<string, unknown>
  const isSilent = typeof error !== 'string'
  return new ApiError(status, isSilent ? 'Something went wrong' : error, {
    code: typeof code === 'string' ? code : undefined,
    fields: fields as Record<string, string> | undefined,
    summary: z.safeDecode(PriceSummary, summary as never).data,
    isSilent,
  })
}
