import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { listen } from './http.ts'

/** One request to the model. */
export interface Asked {
  path: string
  key: string
  instructions: string
  contents: string
  config: Record<string, unknown>
}

/** How the model's response fails. */
export type GeminiFault =
  'silence' | 'endless' | 'reset' | 'page' | 'nothing' | 'blocked' | 'stopped' | 'redirect' | 400 | 429 | 500

type Say = (asked: Asked) => string

const MEGABYTE = 1024 * 1024
const CLASSIFIES = /^You sort messages/

/** A fake of Gemini's `generateContent` on its own port. It says whatever a test wants, even what no model should. */
export async function startGemini() {
  const asked: Asked[] = []
  let saying: { category: Say; reply: Say } = { category: () => 'general_query', reply: () => 'Hello from the shop.' }
  let fault: { how: GeminiFault; only: 'category' | 'reply' | undefined } | null = null
  const silent = new Set<ServerResponse>()
  const { url, close } = await listen((req, res) => void serve(req, res))

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const question = toAsked(req, (await json(req)) as Body)
    asked.push(question)
    const kind = CLASSIFIES.test(question.instructions) ? 'category' : 'reply'
    if (fault && (fault.only ?? kind) === kind) {
      if (fault.how === 'silence') silent.add(res)
      else fail(fault.how, res)
    } else if (isUnknownThinking(question)) send(res, 400, refusal(400))
    else if (!/^\/v1beta\/models\/[\w.-]+:generateContent$/.test(question.path)) send(res, 404, refusal(404))
    else send(res, 200, answer(saying[kind](question)))
  }

  return {
    config: { apiKey: 'AIzaFake-Key-0123456789-abcdefghij', url, model: 'gemini-3.8-flash' },
    /** The requests since the last call. */
    asked: () => asked.splice(0),
    say(category: string | Say, reply: string | Say = 'Hello from the shop.') {
      fault = null
      saying = { category: asSay(category), reply: asSay(reply) }
    },
    fail(how: GeminiFault, only?: 'category' | 'reply') {
      fault = { how, only }
    },
    /** Closes the connections that it left without a response. */
    wake() {
      for (const res of silent) res.destroy()
      silent.clear()
    },
    close,
  }
}

interface Body {
  systemInstruction?: { parts: { text: string }[] }
  contents: { parts: { text: string }[] }[]
  generationConfig?: Record<string, unknown>
  tools?: unknown
}

function toAsked(req: IncomingMessage, { systemInstruction, contents, generationConfig = {}, tools }: Body): Asked {
  const textOf = (parts: { text: string }[] = []) => parts.map(({ text }) => text).join('')
  return {
    path: req.url ?? '',
    key: String(req.headers['x-goog-api-key']),
    instructions: textOf(systemInstruction?.parts),
    contents: contents.map(({ parts }) => textOf(parts)).join('\n'),
    config: tools === undefined ? generationConfig : { ...generationConfig, tools },
  }
}

/** Which models take which level or budget: https://ai.google.dev/gemini-api/docs/thinking */
function isUnknownThinking({ path, config }: Asked): boolean {
  const { thinkingLevel: level, thinkingBudget: budget } = (config.thinkingConfig ?? {}) as Record<string, unknown>
  if (/gemini-2\.5-pro/.test(path)) return level !== undefined || Number(budget ?? 128) < 128
  if (/gemini-2\.5/.test(path)) return level !== undefined
  return budget !== undefined || (level === 'MINIMAL' && /gemini-3(\.[78]|-pro)/.test(path))
}

function asSay(said: string | Say): Say {
  return typeof said === 'string' ? () => said : said
}

function answer(text: string) {
  const content = { role: 'model', parts: [{ text: 'Let me think.', thought: true }, { text }] }
  return { candidates: [{ content, finishReason: 'STOP', index: 0 }], modelVersion: 'gemini-3.8-flash' }
}

function fail(how: Exclude<GeminiFault, 'silence'>, res: ServerResponse): void {
  if (how === 'endless') sayForever(res)
  else if (how === 'reset') res.destroy()
  else if (how === 'page') send(res, 200, '<!doctype html><title>Maintenance</title>', 'text/html')
  else if (how === 'nothing') send(res, 200, {})
  else if (how === 'blocked') send(res, 200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
  else if (how === 'stopped') send(res, 200, { candidates: [{ finishReason: 'SAFETY', index: 0 }] })
  else if (how === 'redirect') res.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
  else send(res, how, refusal(how))
}

/** An endless compressed response: a megabyte takes about a kilobyte on the wire. */
function sayForever(res: ServerResponse): void {
  const packer = createGzip()
  res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  packer.write('{"candidates":[{"content":{"parts":[{"text":"')
  function* words(): Generator<Buffer> {
    while (!res.destroyed) yield Buffer.alloc(MEGABYTE, 'x')
  }
  Readable.from(words()).pipe(packer).pipe(res)
  res.on('close', () => packer.destroy())
}

function refusal(code: number) {
  return { error: { code, message: 'The key AIzaFake-Key-0123456789-abcdefghij may not', status: 'FAILED' } }
}

function send(res: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  res.writeHead(status, { 'content-type': type })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}
