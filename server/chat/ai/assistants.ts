import type { Assistant } from './assistant.ts'
import { type GeminiConfig, openGemini } from './gemini.ts'
import { localAssistant } from './local.ts'

/** `local` always replies; `remote` uses an AI service and is null without one. */
export interface Assistants {
  local: Assistant
  remote: Assistant | null
}

export function openAssistants(gemini: GeminiConfig | null): Assistants {
  return { local: localAssistant, remote: gemini && openGemini(gemini) }
}
