import * as z from 'zod'
import type { GeminiConfig } from './gemini.ts'

/** The environment variables of automated chat replies. */
export const AiEnvironment = {
  GEMINI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{10,200}$/, 'must be a key of 10 characters or more, without spaces')
    .optional(),
  GEMINI_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://generativelanguage.googleapis.com' })
    .default('https://generativelanguage.googleapis.com'),
  GEMINI_MODEL: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be the name of a model such as gemini-3.8-flash')
    .default('gemini-3.8-flash'),
}

/** Variables whose values are never printed. */
export const AI_SECRETS = ['GEMINI_API_KEY']

/** The AI service; null if none is configured and shops reply from their own data. */
export function readGemini(variables: z.output<z.ZodObject<typeof AiEnvironment>>): GeminiConfig | null {
  const { GEMINI_API_KEY: apiKey, GEMINI_URL: url, GEMINI_MODEL: model } = variables
  return apiKey ? { apiKey, url, model } : null
}
