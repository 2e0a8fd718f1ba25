import { randomBytes } from 'node:crypto'
import type { GenerateContentConfig, GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import { CATEGORIES, type Category } from '#contract/chat.ts'
import { atFirstUse } from '#server/platform/first-use.ts'
import { breakerCooldown } from '#server/platform/breaker-cooldown.ts'
import { type Assistant, AssistantAwayError, type Question } from './assistant.ts'
import { isLeaking } from './leaks.ts'
import { classifying, type Prompt, replying } from './prompts.ts'
import { tidy } from './tidy.ts'
import { templateFor } from './templates.ts'

export interface GeminiConfig {
  apiKey: string
  url: string
  model: string
}

interface Options {
  /** Milliseconds for both requests together. */
  totalMs?: number
  /** Milliseconds for the first request; if it fails, the second still has the remaining time. */
  classifyMs?: number
}

/** After this many failures in a row, the service gets no requests for `COOLDOWN_MS`. */
const MAX_FAILURES = 5
const COOLDOWN_MS = 60_000
const MAX_REASON_LENGTH = 200
const MAX_BYTES = 1024 * 1024
/** Longer than any reply; the rest is dropped. */
const MAX_CHARACTERS = 8 * 1024
const REPLY_TOKENS = 1024
/** For models that think: thoughts count as output, and would leave a reply of `REPLY_TOKENS` unfinished. */
const THINKING_TOKENS = 4 * REPLY_TOKENS
const FINISHED = ['STOP', 'MAX_TOKENS', undefined]

/** The service declines to reply to this message; that is not a failure of the service. */
class DeclinedReplyError extends Error {}

/**
 * Google's Gemini: one request for the category, one for the reply. Replaces a reply that leaks instructions or
 * secrets, or has nothing left after `tidy`, by the template of its category.
 */
export function openGemini(
  { apiKey, url, model }: GeminiConfig,
  { totalMs = 8000, classifyMs = 3000 }: Options = {},
): Assistant {
  const mark = randomBytes(12).toString('hex')
  const breaker = circuitBreaker(
    handleWhen(error => !(error instanceof DeclinedReplyError)),
    { halfOpenAfter: breakerCooldown(COOLDOWN_MS), breaker: new ConsecutiveBreaker(MAX_FAILURES) },
  )
  const client = atFirstUse(() => connect(apiKey, url))

  async function generateText({ instructions, contents }: Prompt, config: GenerateContentConfig, signal: AbortSignal) {
    signal.throwIfAborted()
    const answer = breaker.execute(async () => {
      const { models } = await client()
      return textOf(
        await models.generateContent({
          model,
          contents,
          config: {
            ...config,
            ...(await leastThinking(model)),
            systemInstruction: instructions,
            abortSignal: signal,
            automaticContinuation: false,
          },
        }),
      )
    })
    // Stop waiting for the breaker's trial request, too, when the time is over.
    return Promise.race([answer, rejectedBy(signal)])
  }

  async function classify(question: Question, signal: AbortSignal): Promise<Category> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(classifyMs)])
    const reply = await generateText(classifying(question), { temperature: 0 }, soon)
    return CATEGORIES.find(category => category === reply.trim().toLowerCase()) ?? 'general_query'
  }

  return {
    async reply(question) {
      const signal = AbortSignal.timeout(totalMs)
      try {
        const category = await classify(question, signal).catch((): Category => 'general_query')
        const prompt = replying(question, category, mark)
        const how = { temperature: 0.7, topK: 40, topP: 0.95 }
        const reply = await generateText(prompt, how, signal)
        const isSafe = !isLeaking(reply, { secrets: [apiKey, mark], instructions: prompt.instructions })
        const template = templateFor(category, question)
        const body = (isSafe && tidy(reply, question)) || template.text
        return { category, text: [body, template.followUp].filter(part => part !== undefined).join('\n\n') }
      } catch (error) {
        throw new AssistantAwayError(reasonOf(error).replaceAll(apiKey, '…').slice(0, MAX_REASON_LENGTH))
      }
    },
  }
}

async function connect(apiKey: string, baseUrl: string): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai')
  // Follow no redirects: the API key must not reach other hosts.
  const fetchHere: typeof fetch = async (input, init) => limitSize(await fetch(input, { ...init, redirect: 'error' }))
  return new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl, apiVersion: 'v1beta', fetch: fetchHere } })
}

/** A response whose body fails beyond 1 MB, counted after decompression. */
function limitSize(response: Response): Response {
  let bytes = 0
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        if (bytes > MAX_BYTES) throw new Error(`it sent more than ${MAX_BYTES} bytes`)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(body, response)
}

/** The least that a model can think, and its limit: https://ai.google.dev/gemini-api/docs/thinking */
async function leastThinking(model: string): Promise<GenerateContentConfig> {
  if (model.startsWith('gemini-2.5-pro'))
    return { thinkingConfig: { thinkingBudget: 128 }, maxOutputTokens: THINKING_TOKENS }
  if (model.startsWith('gemini-2.5')) return { thinkingConfig: { thinkingBudget: 0 }, maxOutputTokens: REPLY_TOKENS }
  if (!/^gemini-[3-9]/.test(model)) return { maxOutputTokens: REPLY_TOKENS }
  const { ThinkingLevel } = await import('@google/genai')
  // Of the levels, the lowest that every model from 3 on has.
  return { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW }, maxOutputTokens: THINKING_TOKENS }
}

function textOf({ candidates, promptFeedback }: GenerateContentResponse): string {
  if (promptFeedback?.blockReason) throw new DeclinedReplyError(`it was blocked: ${promptFeedback.blockReason}`)
  const [candidate] = candidates ?? []
  if (!FINISHED.includes(candidate?.finishReason))
    throw new DeclinedReplyError(`it stopped: ${candidate?.finishReason}`)
  const parts = candidate?.content?.parts ?? []
  const text = parts.flatMap(part => (part.text && !part.thought ? [part.text] : [])).join('')
  if (text.trim() === '') throw new Error('its reply was empty')
  return text.slice(0, MAX_CHARACTERS)
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof BrokenCircuitError) return 'the AI service is left alone for a while'
  return error instanceof Error ? error.message : String(error)
}
