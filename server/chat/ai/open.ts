import type { Assistant } from './assistant.ts'
import { type GeminiConfig, openGemini } from './gemini.ts'
import { localAssistant } from './local.ts'

/** `local` always answers; `remote` asks an AI service, where there is one. */
export interface Assistants {
  local: Assistant
  remote: Assistant | null
}

/** Who answers customers; without an AI service, the shop itself. */
export function openAssistants(gemini: GeminiConfig | null): Assistants {
  return { local: localAssistant, remote: gemini && openGemini(gemini) }
}
